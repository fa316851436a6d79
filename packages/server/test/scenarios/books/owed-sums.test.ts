import { afterAll, beforeAll, expect, test } from 'vitest';
import { AppError } from '../../../src/base/errors.ts';
import { type Database, openDatabase, sql, type Tx } from '../../../src/base/pg/index.ts';
import {
  type Account,
  issuedPtk,
  merchantAvailable,
  merchantCreditDrawn,
  merchantFeeIncome,
  merchantFrozen,
  merchantHeld,
  merchantRecovery,
  userAvailable,
} from '../../../src/ledger/books/accounts.ts';
import { transfer } from '../../../src/ledger/books/entry.ts';
import { post } from '../../../src/ledger/books/post.ts';
import { accountSums } from '../../../src/ledger/sums/account-sums.sql.ts';
import { keepSums } from '../../../src/ledger/sums/kept-sums.ts';
import { keepOwedSums, readAccounts, readOwed, rebuildAccountSums } from '../../../src/ledger/sums/index.ts';
import { verifyBooks } from '../../../src/payments/facts/index.ts';
import { merchant_id, other_merchant_id, t0 } from '../../support/desks/samples.ts';
import { randomOf } from '../../support/run/random.ts';
import { freshDatabase, type TestDatabase } from '../../support/servers/database.ts';

let database: TestDatabase;
let db: Database;
let made = 0;

beforeAll(async () => {
  database = await freshDatabase();
  db = openDatabase({ url: database.url, max: 4 });
});
afterAll(async () => {
  await db.close();
  await database.drop();
});

const accounts: [Account, ...Account[]] = [
  issuedPtk(),
  merchantAvailable(),
  merchantHeld('mp_1'),
  merchantHeld('mp_2'),
  merchantFrozen('mp_1'),
  merchantCreditDrawn(),
  merchantRecovery(),
  merchantFeeIncome(),
  userAvailable('00000000-0000-4000-8000-000000000001'),
  userAvailable('00000000-0000-4000-8000-000000000002'),
];

/** Moves an amount, unless a balance does not cover it. */
async function move(debit: Account, credit: Account, amount: bigint, of = merchant_id): Promise<void> {
  if (debit.name === credit.name) return;
  const transfers = [transfer(debit, credit, amount)];
  const entry = { merchant_id: of, subject: `test-${++made}`, posting: 'P20i', transfers } as const;
  await db
    .transaction(async (tx) => {
      const { book, wallets } = post([entry], t0);
      await tx.write(book);
      await tx.write(wallets);
    })
    .catch((error: unknown) => {
      if (!(error instanceof AppError)) throw error;
    });
}

/** The database with this change of its transactions. */
const changed = (change: (tx: Tx) => object): Database =>
  Object.create(db, {
    transaction: {
      value: (work: (tx: Tx) => Promise<unknown>) =>
        db.transaction((tx) => work(Object.create(tx, Object.getOwnPropertyDescriptors(change(tx))) as Tx)),
    },
  }) as Database;

/** What all balances come to. */
async function addedUp(): Promise<string[]> {
  const rows = await db.query<{ account: string; balance: bigint }>(
    sql`SELECT account, sum(balance) AS balance FROM ledger_balances WHERE account LIKE 'm:%' GROUP BY account
      UNION ALL SELECT 'user', sum(available_ptk) FROM user_wallets`,
  );
  return rows
    .filter(({ balance }) => balance > 0n)
    .map(({ account, balance }) => `${account} ${balance}`)
    .sort();
}

async function told(asked = db): Promise<string[]> {
  const { merchants, to_people } = await readOwed(asked);
  return [
    ...merchants.map(({ account, balance }) => `${account} ${balance}`),
    ...(to_people > 0n ? [`user ${to_people}`] : []),
  ].sort();
}

const expectExact = async (): Promise<void> => {
  expect(await told()).toEqual(await addedUp());
};

const faults = async (): Promise<string[]> =>
  (await verifyBooks(db)).findings
    .filter(({ kind }) => kind === 'account_sums_differ')
    .map(({ subject }) => subject);

test.each([1, 2, 3])(
  'D-1080 what is owed is exact whenever money moves and is summed: story %i',
  async (seed) => {
    const random = randomOf(seed);
    for (let i = 0; i < 120; i++) {
      const step = random.between(0, 11);
      if (step === 0) await Promise.all([keepOwedSums(db), keepOwedSums(db)]);
      // A worker of the previous release.
      else if (step === 1) await keepSums(db, accountSums);
      else {
        const debit = random.pick([issuedPtk(), ...accounts]);
        const of = random.pick([merchant_id, other_merchant_id]);
        await move(debit, random.pick(accounts), BigInt(random.between(1, 99)), of);
      }
      await expectExact();
    }
    expect((await addedUp()).length).toBeGreaterThan(5);
    expect(await faults()).toEqual([]);
  },
);

test('D-1080 a transfer whose transaction ends late counts once', async () => {
  const transfers = [transfer(issuedPtk(), merchantAvailable(), 11n)];
  await db.transaction(async (tx) => {
    const entry = { merchant_id, subject: `test-${++made}`, posting: 'P20i', transfers } as const;
    await tx.write(post([entry], t0).book);
    await move(issuedPtk(), merchantAvailable(), 5n, other_merchant_id);
    await keepOwedSums(db);
    await expectExact();
  });
  await expectExact();
  await keepOwedSums(db);
  await expectExact();
});

test('D-1080 with kept sums, a request reads no whole table of balances, wallets or transfers', async () => {
  await rebuildAccountSums(db);
  await db.query(sql`ANALYZE ledger_transfers, ledger_balances, user_wallets`);
  let plans: string[] = [];
  const explained = changed((tx) => ({
    query: async (asked: Parameters<Tx['query']>[0]) => {
      if (asked.strings[0]?.startsWith('SET') === true) return tx.query(asked);
      await tx.query(sql`SET LOCAL enable_seqscan = off`);
      const lines = await tx.query<{ 'QUERY PLAN': string }>(sql`EXPLAIN ${asked}`);
      plans.push(...lines.map((line) => line['QUERY PLAN']));
      return tx.query(asked);
    },
  }));
  await told(explained);
  expect(plans.join('\n')).toMatch(/ on owed_sums/);
  expect(plans.join('\n')).toMatch(/ledger_transfers_by_xact/);
  const whole = /ledger_balances|user_wallets|Seq Scan on ledger_transfers/;
  expect(plans.filter((line) => whole.test(line))).toEqual([]);
  plans = [];
  await db.query(sql`UPDATE owed_sum_marks SET snapshot = NULL`);
  await told(explained);
  expect(plans.join('\n')).toMatch(/ on ledger_balances/);
});

test('D-1080 a check finds a sum that was changed, removed or added, and the sums can be computed again', async () => {
  await rebuildAccountSums(db);
  expect(await faults()).toEqual([]);
  for (const damage of [
    sql`UPDATE owed_sums SET balance = balance + 1 WHERE account = 'm:available'`,
    sql`DELETE FROM owed_sums WHERE account = 'user'`,
    sql`INSERT INTO owed_sums VALUES ('m:withdrawal_pending', 1)`,
  ]) {
    await db.query(damage);
    await move(issuedPtk(), merchantAvailable(), 4n);
    expect(await faults()).toEqual(['owed sums']);
    await rebuildAccountSums(db);
    expect(await faults()).toEqual([]);
    await expectExact();
  }
});

test('D-1081 sums of another server, or of one that was set back or distributed, do not count', async () => {
  const listed = (asked = db) => readAccounts(asked, merchant_id, { kind: '', ref: '', currency: '' }, 100);
  const damage = async (): Promise<void> => {
    await rebuildAccountSums(db);
    await db.query(sql`UPDATE owed_sums SET balance = balance + 1`);
    await db.query(sql`UPDATE account_sums SET balance = balance + 1`);
  };
  const [owed, list] = [await addedUp(), await listed()];
  for (const mark of [
    sql`counted_by = 'another'`,
    sql`snapshot = '9000000000000000000:9000000000000000000:'`,
  ]) {
    await damage();
    await db.query(sql`UPDATE owed_sum_marks SET ${mark}`);
    expect(await told()).toEqual(owed);
    await keepOwedSums(db);
    await expectExact();
    expect(await faults()).not.toContain('owed sums');
  }
  await damage();
  const distributed = changed(() => ({ isDistributed: true }));
  expect(await told(distributed)).toEqual(owed);
  expect(await listed(distributed)).toEqual(list);
});

test('D-572, D-1080 after a restore into a cluster that has counted fewer transactions, all balances are added up', async () => {
  await rebuildAccountSums(db);
  await db.transaction(async (tx) => {
    await tx.query(sql`SET LOCAL session_replication_role = replica`);
    await tx.query(sql`UPDATE ledger_transfers SET sealed_xact = sealed_xact + 900000000000000`);
    await tx.query(sql`UPDATE owed_sum_marks SET counted_by = 'another'`);
  });
  for (let pass = 0; pass < 2; pass++) {
    await expectExact();
    await keepOwedSums(db);
    await move(issuedPtk(), merchantAvailable(), 5n);
  }
  expect(await db.query(sql`SELECT snapshot FROM owed_sum_marks`)).toEqual([{ snapshot: null }]);
  await expectExact();
});
