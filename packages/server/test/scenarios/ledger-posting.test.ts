import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type Database, openDatabase, sql } from '../../src/base/pg/index.ts';
import {
  type Account,
  issuedPtk,
  merchantAvailable,
  merchantGuarantee,
  merchantRecovery,
  userAvailable,
} from '../../src/ledger/books/accounts.ts';
import { type Entry, transfer } from '../../src/ledger/books/entry.ts';
import { post } from '../../src/ledger/books/post.ts';
import { verifyLedger } from '../../src/ledger/verification/verify.ts';
import { freshDatabase, type TestDatabase } from '../support/database.ts';
import { buyer_id, merchant_id, other_merchant_id } from '../support/samples.ts';

const at = new Date('2026-01-02T03:04:05.000Z');

let database: TestDatabase;
let db: Database;
/** Every entry has a subject of its own. */
let entries = 0;

beforeAll(async () => {
  database = await freshDatabase();
  db = openDatabase({ url: database.url, max: 2 });
});

afterAll(async () => {
  await db.close();
  await database.drop();
});

beforeEach(async () => {
  await db.transaction(async (tx) => {
    await tx.query(sql`SET LOCAL session_replication_role = replica`);
    await tx.query(sql`TRUNCATE ledger_transfers, ledger_balances, user_wallets, user_wallet_lines`);
  });
});

const entry = (debit: Account, credit: Account, amount: bigint): Entry => ({
  merchant_id,
  subject: `subject ${++entries}`,
  posting: 'P20i',
  transfers: [transfer(debit, credit, amount)],
});
const give = (account: Account, amount: bigint): Entry => entry(issuedPtk(), account, amount);
const take = (account: Account, amount: bigint): Entry => entry(account, issuedPtk(), amount);

const write = (...posted: Entry[]): Promise<void> =>
  db.transaction(async (tx) => {
    const { book, wallets } = post(posted, at);
    await tx.write(book);
    await tx.write(wallets);
  });

async function balances(): Promise<Record<string, bigint>> {
  const rows = await db.query<{ account: string; balance: bigint }>(
    sql`SELECT account, balance FROM ledger_balances UNION ALL SELECT 'user', available_ptk FROM user_wallets`,
  );
  return Object.fromEntries(rows.map(({ account, balance }) => [account, balance]));
}

describe('R-145 R-146 entries that are posted together', () => {
  test('may take from one balance, as long as it covers the sum', async () => {
    await write(give(merchantAvailable(), 10n), give(userAvailable(buyer_id), 10n));
    await write(take(merchantAvailable(), 4n), take(merchantAvailable(), 6n));
    await write(take(userAvailable(buyer_id), 1n), take(userAvailable(buyer_id), 2n));
    expect(await balances()).toEqual({ 'm:available': 0n, user: 7n });
    expect(await verifyLedger(db)).toMatchObject({ ok: true, entries: 6n });
  });

  test('may give to one balance, which need not exist', async () => {
    await write(give(merchantGuarantee(), 1n), give(merchantGuarantee(), 2n), give(merchantRecovery(), 0n));
    expect(await balances()).toEqual({ 'm:guarantee': 3n });
  });

  test('one entry can supply the funds that another takes', async () => {
    await write(give(userAvailable(buyer_id), 5n), take(userAvailable(buyer_id), 3n));
    await write(
      entry(issuedPtk(), merchantAvailable(), 4n),
      entry(merchantAvailable(), merchantGuarantee(), 4n),
    );
    expect(await balances()).toEqual({ user: 2n, 'm:guarantee': 4n });
    expect(await verifyLedger(db)).toMatchObject({ ok: true, entries: 4n });
  });

  test('are refused together where one balance does not cover the sum', async () => {
    await write(give(merchantAvailable(), 10n));
    const refused = write(take(merchantAvailable(), 4n), take(merchantAvailable(), 7n));
    await expect(refused).rejects.toMatchObject({ code: 'insufficient_balance' });
    expect(await balances()).toEqual({ 'm:available': 10n });
    expect(await verifyLedger(db)).toMatchObject({ ok: true, entries: 1n });
  });

  test('stand in one book', () => {
    const other = { ...give(merchantAvailable(), 1n), merchant_id: other_merchant_id };
    expect(() => post([give(merchantAvailable(), 1n), other], at)).toThrow('stand in one book');
  });
});

test.each(['write', 'finish'] as const)(
  'R-145 writes of two calls that change one balance are a defect, not a lack of funds: %s',
  async (run) => {
    await write(give(merchantAvailable(), 10n));
    const [first, second] = [1n, 2n].map((amount) => post([take(merchantAvailable(), amount)], at).book);
    const before = post([give(merchantGuarantee(), 1n)], at).book;
    const refused = db.transaction(async (tx) => {
      await tx.write(before);
      await tx[run]([...(first ?? []), ...(second ?? [])]);
    });
    await expect(refused).rejects.toThrow(`two writes of one statement change m:available of ${merchant_id}`);
    expect(await balances()).toEqual({ 'm:available': 10n });
  },
);
