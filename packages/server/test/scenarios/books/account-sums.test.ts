import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Database, openDatabase, sql } from '../../../src/base/pg/index.ts';
import { platformBook } from '../../../src/base/ids.ts';
import { ptk } from '../../../src/base/money.ts';
import {
  type Account,
  bank,
  exchange,
  issuedPtk,
  lossExpense,
  merchantAvailable,
  merchantFeeIncome,
  merchantHeld,
  providerClearing,
  suspense,
} from '../../../src/ledger/books/accounts.ts';
import { transfer } from '../../../src/ledger/books/entry.ts';
import { post } from '../../../src/ledger/books/post.ts';
import {
  type AccountMark,
  type AccountRow,
  keepAccountSums,
  keepOwedSums,
  readAccounts,
  rebuildAccountSums,
} from '../../../src/ledger/sums/index.ts';
import { verifyBooks } from '../../../src/payments/facts/index.ts';
import { freshDatabase, type TestDatabase } from '../../support/servers/database.ts';
import { merchant_id, t0 } from '../../support/desks/samples.ts';
import { eventually } from '../../support/desks/service.ts';

let database: TestDatabase;
let db: Database;
let made = 0;

beforeAll(async () => {
  database = await freshDatabase();
  // Three processes wait for each other below; on a slow machine longer than production lets them.
  db = openDatabase({ url: database.url, max: 4, lock_timeout_ms: 60_000, long_lock_timeout_ms: 60_000 });
});
afterAll(async () => {
  await db.close();
  await database.drop();
});

const entryOf = (debit: Account, credit: Account, amount: bigint, of: string) => ({
  ...{ merchant_id: of, subject: `test-${++made}`, posting: 'P20i' },
  transfers: [transfer(debit, credit, amount)],
});

const move = (debit: Account, credit: Account, amount: bigint, of = merchant_id): Promise<unknown> =>
  db.transaction((tx) => tx.write(post([entryOf(debit, credit, amount, of)] as never, t0).book));

/** All accounts of a book, page by page. */
async function accountsOf(book: string, limit: number): Promise<AccountRow[]> {
  const found: AccountRow[] = [];
  for (let behind: AccountMark = { kind: '', ref: '', currency: '' }; ;) {
    const page = await readAccounts(db, book, behind, limit);
    found.push(...page);
    const last = page.at(-1);
    if (last === undefined || page.length < limit) return found;
    behind = last;
  }
}

/** What the transfers of a book come to, account by account; accounts of one order only if there is something on them. */
async function addedUp(book: string): Promise<string[]> {
  const rows = await db.query<{ account: string; currency: string; balance: bigint }>(
    sql`SELECT account, currency, sum(change) AS balance FROM (
        SELECT credit_account AS account, currency, amount AS change FROM ledger_transfers WHERE merchant_id = ${book}
        UNION ALL
        SELECT debit_account, currency, -amount FROM ledger_transfers WHERE merchant_id = ${book}) moved
      WHERE account NOT LIKE 'user:%' GROUP BY account, currency
      HAVING sum(change) <> 0 OR NOT (account ~ '^(m:[a-z_]+:|susp:)')`,
  );
  return rows.map(({ account, currency, balance }) => `${account} ${currency} ${balance}`).sort();
}

async function expectExact(): Promise<void> {
  for (const book of [merchant_id, platformBook]) {
    for (const limit of [1, 3, 100]) {
      const listed = (await accountsOf(book, limit)).map(
        ({ kind, ref, currency, balance }) =>
          `${ref === '' ? kind : `${kind}:${ref}`} ${currency} ${balance}`,
      );
      expect(listed.sort()).toEqual(await addedUp(book));
    }
  }
}

test('D-430 the accounts of a book are what its transfers come to, before sums are kept, with them and after more', async () => {
  await move(issuedPtk(), merchantAvailable(), 1_000n);
  await move(exchange(ptk), merchantHeld('mp_1'), 70n);
  await move(exchange(ptk), merchantHeld('mp_2'), 80n);
  await move(providerClearing('ch_1', 'USD'), exchange('USD'), 900n);
  await move(providerClearing('ch_1', 'USD'), suspense('USD', 'ca_1'), 5n);
  await move(bank('USD'), exchange('USD'), 12n, platformBook);
  await expectExact();
  await keepAccountSums(db);
  await expectExact();
  await move(merchantHeld('mp_1'), merchantFeeIncome(), 70n);
  await move(lossExpense(), merchantAvailable(), 3n);
  await move(exchange('USD'), bank('USD'), 2n, platformBook);
  await expectExact();
  await Promise.all([keepAccountSums(db), keepAccountSums(db), keepAccountSums(db)]);
  await expectExact();
});

test('D-430 a transfer counts once, also if its transaction ends late', async () => {
  let began: () => void = () => undefined;
  let end: () => void = () => undefined;
  const hasBegun = new Promise<void>((resolve) => (began = resolve));
  const mayEnd = new Promise<void>((resolve) => (end = resolve));
  const late = db.transaction(async (tx) => {
    await tx.write(post([entryOf(issuedPtk(), merchantAvailable(), 11n, merchant_id)] as never, t0).book);
    began();
    await mayEnd;
  });
  await hasBegun;
  await move(bank('USD'), exchange('USD'), 4n);
  await keepAccountSums(db);
  await expectExact();
  end();
  await late;
  await expectExact();
  await keepAccountSums(db);
  await expectExact();
});

test('D-590, D-698 new transfers are added on a connection that is there, and after the limit of time on one without a limit', async () => {
  let end: () => void = () => undefined;
  const mayEnd = new Promise<void>((resolve) => (end = resolve));
  await keepAccountSums(db);
  await move(bank('USD'), exchange('USD'), 6n);
  const holder = db.transaction(async (tx) => {
    await tx.query(sql`LOCK TABLE account_sums IN ACCESS EXCLUSIVE MODE`);
    await mayEnd;
  });
  const waiting = async (): Promise<number[]> => {
    const rows = await db.query<{ pid: number }>(
      sql`SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`,
    );
    return rows.map(({ pid }) => pid);
  };
  const limits = { statement_timeout_ms: 1_000, lock_timeout_ms: 60_000, long_lock_timeout_ms: 60_000 };
  const hasty = openDatabase({ url: database.url, max: 2, ...limits });
  const kept = keepAccountSums(hasty);
  try {
    const [pooled] = await eventually(waiting, ({ length }) => length === 1);
    // The server ends the first one, which would keep the second one waiting.
    await Promise.race([kept, eventually(waiting, (pids) => pids.length === 1 && pids[0] !== pooled)]);
  } finally {
    end();
  }
  await Promise.all([kept, holder]);
  await hasty.close();
  await expectExact();
});

test('D-430 sums that another server counted are computed again', async () => {
  await db.query(sql`UPDATE account_sum_marks SET counted_by = 'another'`);
  await db.query(sql`UPDATE account_sums SET balance = balance + 1`);
  await expectExact();
  await keepAccountSums(db);
  await expectExact();
});

test('D-430 a check finds a sum that was changed, removed or added, and the sums can be computed again', async () => {
  const kinds = async () =>
    (await verifyBooks(db)).findings.map(({ kind }) => kind).filter((kind) => kind === 'account_sums_differ');
  expect(await kinds()).toEqual([]);
  const damages = [
    sql`UPDATE account_sums SET balance = balance + 1 WHERE book = ${merchant_id} AND account = 'fx:USD'`,
    sql`DELETE FROM account_sums WHERE book = ${platformBook} AND account = 'bank:USD'`,
    sql`INSERT INTO account_sums VALUES (${merchant_id}, 'exp:loss', 'USD', 1)`,
  ];
  for (const damage of damages) {
    await db.query(damage);
    // What the snapshot of the sums does not show is not compared.
    await move(bank('USD'), exchange('USD'), 4n);
    expect(await kinds()).toEqual(['account_sums_differ']);
    await rebuildAccountSums(db);
    expect(await kinds()).toEqual([]);
    await expectExact();
  }
});

test('D-572 after a restore into a cluster that has counted fewer transactions, each transfer counts once', async () => {
  await move(issuedPtk(), merchantAvailable(), 7n);
  await db.transaction(async (tx) => {
    await tx.query(sql`SET LOCAL session_replication_role = replica`);
    await tx.query(sql`UPDATE ledger_transfers SET sealed_xact = sealed_xact + 900000000000000`);
    await tx.query(sql`UPDATE account_sum_marks SET counted_by = 'another'`);
  });
  await expectExact();
  for (let pass = 0; pass < 2; pass++) {
    await keepAccountSums(db);
    await keepOwedSums(db);
    await expectExact();
    const kinds = (await verifyBooks(db)).findings.map(({ kind }) => kind);
    expect(kinds).not.toContain('account_sums_differ');
    await move(issuedPtk(), merchantAvailable(), 5n);
    await expectExact();
  }
});
