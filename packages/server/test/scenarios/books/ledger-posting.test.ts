import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type Database, migrationsDir, openDatabase, raw, sql } from '../../../src/base/pg/index.ts';
import { readMigrations } from '../../../src/base/pg/schema/migration-files.ts';
import {
  type Account,
  issuedPtk,
  merchantAvailable,
  merchantGuarantee,
  merchantHeld,
  merchantRecovery,
  userAvailable,
} from '../../../src/ledger/books/accounts.ts';
import { type Entry, transfer } from '../../../src/ledger/books/entry.ts';
import { post } from '../../../src/ledger/books/post.ts';
import { verifyLedger } from '../../../src/ledger/verification/verify.ts';
import { freshDatabase, type TestDatabase } from '../../support/servers/database.ts';
import { buyer_id, merchant_id, other_merchant_id } from '../../support/desks/samples.ts';

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

async function heldRows(): Promise<Record<string, bigint>> {
  const rows = await db.query<{ ref: string; balance: bigint }>(
    sql`SELECT ref, balance FROM ledger_balances WHERE account = 'm:held'`,
  );
  return Object.fromEntries(rows.map(({ ref, balance }) => [ref, balance]));
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

  test('D-395 the balance row of an order is deleted at zero, and is made again for new money', async () => {
    const held = merchantHeld('mp_1');
    await write(give(held, 10n), give(merchantHeld('mp_2'), 1n));
    await write(take(held, 4n));
    expect(await heldRows()).toEqual({ mp_1: 6n, mp_2: 1n });
    await expect(write(take(held, 7n))).rejects.toMatchObject({ code: 'insufficient_balance' });
    await write(take(held, 6n));
    expect(await heldRows()).toEqual({ mp_2: 1n });
    await expect(write(take(held, 1n))).rejects.toMatchObject({ code: 'insufficient_balance' });
    await write(give(held, 3n));
    expect(await heldRows()).toEqual({ mp_1: 3n, mp_2: 1n });
    await write(take(held, 1n), take(held, 2n));
    expect(await heldRows()).toEqual({ mp_2: 1n });
    expect(await verifyLedger(db)).toMatchObject({ ok: true, entries: 7n });
  });

  test('D-667, D-395, R-145 what is taken from several orders at once is one write, and each balance must cover its part', async () => {
    const [first, second, third] = ['mp_1', 'mp_2', 'mp_3'].map(merchantHeld) as [Account, Account, Account];
    await write(give(first, 4n), give(second, 5n), give(third, 6n));
    const parts = [take(first, 4n), take(second, 2n), take(third, 6n)];
    const more = [take(first, 4n), take(second, 6n), take(third, 6n)];
    expect(post(parts, at).book.map(({ rows }) => rows)).toEqual(['all', 3]);
    await expect(write(...more)).rejects.toMatchObject({ code: 'insufficient_balance' });
    await expect(write(take(first, 1n), take(merchantHeld('mp_4'), 1n))).rejects.toMatchObject({
      code: 'insufficient_balance',
    });
    expect(await heldRows()).toEqual({ mp_1: 4n, mp_2: 5n, mp_3: 6n });
    await write(...parts);
    expect(await heldRows()).toEqual({ mp_2: 3n });
    const twice = [
      ...post([take(second, 1n)], at).book,
      ...post([take(second, 1n), take(third, 1n)], at).book,
    ];
    await expect(db.transaction((tx) => tx.write(twice))).rejects.toThrow(
      `two writes of one statement change m:held:mp_2 of ${merchant_id}`,
    );
    expect(await verifyLedger(db)).toMatchObject({ ok: true, entries: 6n });
  });

  test('D-395 a balance that ends with the money that two releases take is never below zero', async () => {
    const held = merchantHeld('mp_1');
    await write(give(held, 10n));
    const outcomes = await Promise.allSettled([write(take(held, 10n)), write(take(held, 10n))]);
    expect(outcomes.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    expect(await heldRows()).toEqual({});
    expect(await verifyLedger(db)).toMatchObject({ ok: true, entries: 2n });
  });

  test('D-395 balances that earlier releases left at zero are deleted in batches, and no others', async () => {
    await write(give(merchantHeld('mp_3'), 1n), give(merchantGuarantee(), 1n));
    await write(take(merchantGuarantee(), 1n));
    for (const ref of ['mp_1', 'mp_2', 'mp_4']) {
      await db.query(sql`INSERT INTO ledger_balances (merchant_id, account, ref, currency, balance)
        VALUES (${merchant_id}, 'm:held', ${ref}, 'PTK', 0)`);
    }
    const migration = (await readMigrations(migrationsDir)).find(({ name }) => name.startsWith('0077'));
    const parts = (migration?.text ?? '').replace('LIMIT 2000', 'LIMIT 2').replace(/;\s*$/, '').split('$1');
    const keys: string[] = [];
    for (let last = ''; keys.length === 0 || last !== ''; keys.push(last)) {
      const batch = parts.map(raw).reduce((some, part) => sql`${some}${last}${part}`);
      const [row] = await db.query<{ last: string }>(batch);
      last = row?.last ?? '';
    }
    const ends = keys.map((key) => key.split(' ').slice(1).join(' '));
    expect(ends).toEqual(['m:held mp_1', 'm:held mp_3', 'm:held mp_4', '']);
    expect(await balances()).toEqual({ 'm:guarantee': 0n, 'm:held': 1n });
    expect(await verifyLedger(db)).toMatchObject({ ok: true });
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
