import { walletAccounts } from '@paydesk/contract';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { AppError } from '../../../src/base/errors.ts';
import { readCursor } from '../../../src/base/input/list-page.ts';
import { type Database, openDatabase, type Queryable, sql, type Tx } from '../../../src/base/pg/index.ts';
import { later } from '../../../src/base/time/clock.ts';
import { type BalancedLine, isMark, readStatementPage } from '../../../src/console/wallet/statement-page.ts';
import {
  issuedPtk,
  merchantAvailable,
  merchantCreditDrawn,
  merchantFeeReserved,
  merchantFrozen,
  merchantGuarantee,
  merchantHeld,
  merchantRecovery,
  merchantWithdrawalPending,
  providerClearing,
  suspense,
} from '../../../src/ledger/books/accounts.ts';
import { transfer } from '../../../src/ledger/books/entry.ts';
import { post } from '../../../src/ledger/books/post.ts';
import {
  selectBalancesBefore,
  selectStatement,
  selectStatementStart,
} from '../../../src/ledger/books/statement.sql.ts';
import { type MerchantBalances, readMerchantBalances } from '../../../src/ledger/books/read-balances.ts';
import { freshDatabase, type TestDatabase } from '../../support/servers/database.ts';
import { merchant_id, other_merchant_id } from '../../support/desks/samples.ts';

const begin = new Date('2026-01-02T03:04:05.000Z');

let database: TestDatabase;
let db: Database;

beforeAll(async () => {
  database = await freshDatabase();
  db = openDatabase({ url: database.url, max: 2 });
});
afterAll(async () => {
  await db.close();
  await database.drop();
});

const accounts = [
  issuedPtk(),
  merchantAvailable(),
  merchantHeld('mp_1'),
  merchantHeld('mp_2'),
  merchantFrozen('mp_1'),
  merchantGuarantee(),
  merchantFeeReserved('mp_2'),
  merchantWithdrawalPending('wd_1'),
  merchantCreditDrawn(),
  merchantRecovery(),
];

const anAccount = fc.integer({ min: 0, max: accounts.length - 1 });
// More often than others, money comes from outside, and several movements are of one instant.
const aMove = fc.record({
  debit: fc.oneof(fc.constant(0), anAccount),
  credit: anAccount,
  amount: fc.bigInt({ min: 1n, max: 10n ** 12n }),
  gap_ms: fc.constantFrom(0, 0, 1, 1_000),
  subject: fc.uuid(),
});
type Move = typeof aMove extends fc.Arbitrary<infer T> ? T : never;
const anEnd = fc.option(fc.integer({ min: -1, max: 12_000 }));
const aView = fc.record({
  account: fc.option(fc.constantFrom(...walletAccounts)),
  from: anEnd,
  to: anEnd,
  limit: fc.integer({ min: 1, max: 9 }),
});

type View = typeof aView extends fc.Arbitrary<infer T> ? T : never;

const debts = ['credit_drawn', 'recovery'];

/** What the wallet, or one account of it, comes to; debts are negative. */
async function wallet(merchant_id: string, account: string | null): Promise<bigint> {
  const stored: MerchantBalances = await readMerchantBalances(db, merchant_id);
  const balances = Object.entries(stored) as [string, bigint][];
  return balances
    .map(([name, balance]) => ({ name: name.replace(/_ptk$/, ''), balance }))
    .filter(({ name }) => account === null || name === account)
    .reduce((sum, { name, balance }) => sum + (debts.includes(name) ? -balance : balance), 0n);
}

/** Books the movements that the balances cover. */
async function book(merchant_id: string, moves: readonly Move[]): Promise<void> {
  let at = begin;
  for (const { debit, credit, amount, gap_ms, subject } of moves) {
    at = later(at, gap_ms);
    const [taken, given] = [accounts[debit], accounts[credit]];
    if (taken === undefined || given === undefined || taken === given) continue;
    const entry = {
      merchant_id,
      subject,
      posting: 'P20i',
      transfers: [transfer(taken, given, amount)],
    } as const;
    await db
      .transaction((tx) => tx.write(post([entry], at).book))
      .catch((error: unknown) => {
        if (!(error instanceof AppError)) throw error;
      });
  }
}

/** Every line of a statement, newest first, read page by page, and its summary. */
async function statement(merchant_id: string, { account, from, to, limit }: View) {
  const instant = (ms: number | null): Date | null => (ms === null ? null : later(begin, ms));
  const filter = { account, booked: { from: instant(from), to: instant(to) } };
  const first = await readStatementPage(db, merchant_id, filter, { limit, after: null });
  const lines: BalancedLine[] = [...first.items];
  for (let { next_cursor } = first; next_cursor !== undefined;) {
    const after = readCursor(next_cursor, isMark);
    const page = await readStatementPage(db, merchant_id, filter, { limit, after });
    expect(page.summary).toBeUndefined();
    lines.push(...page.items);
    ({ next_cursor } = page);
  }
  const { opening_ptk = '', net_ptk = '', closing_ptk = '' } = first.summary ?? {};
  const parts = first.summary?.parts?.map(({ part, change_ptk }) => [part, change_ptk]);
  return { lines, opening: BigInt(opening_ptk), net: BigInt(net_ptk), closing: BigInt(closing_ptk), parts };
}

test('D-282 the running balance and the net of the lines agree with the wallet, for all movements and filters', async () => {
  await book(other_merchant_id, [{ debit: 0, credit: 1, amount: 7n, gap_ms: 1, subject: 'theirs' }]);
  await fc.assert(
    fc.asyncProperty(
      fc.uuid(),
      fc.array(aMove, { maxLength: 20 }),
      fc.array(aView, { minLength: 3, maxLength: 5 }),
      async (merchant_id, moves, views) => {
        await book(merchant_id, moves);
        for (const view of views) {
          const { lines, opening, net, closing, parts } = await statement(merchant_id, view);
          let balance = closing;
          for (const { change_ptk, balance_ptk } of lines) {
            expect(BigInt(balance_ptk)).toBe(balance);
            balance -= BigInt(change_ptk);
          }
          expect([opening, net]).toEqual([balance, closing - balance]);
          const { account, from, to } = view;
          // D-501: the movements are deposits, which are the whole net.
          const isParted = account === null && from !== null && (to === null || from < to);
          expect(parts).toEqual(isParted ? (net === 0n ? [] : [['deposits', String(net)]]) : undefined);
          if (to === null) expect(closing).toBe(await wallet(merchant_id, account));
          if (from === null) expect(opening).toBe(0n);
          else if (to === null || from < to) {
            const before = await statement(merchant_id, { ...view, from: null, to: from });
            expect(before.closing).toBe(opening);
          }
        }
      },
    ),
    // A smaller history would be booked into the same wallet.
    { numRuns: 25, endOnFailure: true },
  );
});

/** How many transfers the database reads by an index meanwhile. */
const transfersRead = (look: (tx: Tx) => Promise<unknown>): Promise<number> =>
  db.transaction(async (tx) => {
    await tx.query(sql`SET LOCAL enable_seqscan = off`);
    const read = async (): Promise<number> => {
      const [row] = await tx.query<{ read: number }>(
        sql`SELECT sum(idx_tup_fetch)::int AS read FROM pg_stat_xact_user_tables WHERE relname LIKE 'ledger_transfers%'`,
      );
      return row?.read ?? NaN;
    };
    const before = await read();
    await look(tx);
    return (await read()) - before;
  });

test('D-1120 the balances before a time are read from the transfers before it, or from those since, which are fewer', async ({
  skip,
}) => {
  const merchant_id = '00000000-0000-4000-8000-000000001120';
  const moves = Array.from({ length: 200 }, (_, i): Move => {
    return {
      ...{ debit: i % 3 === 0 ? 8 : 0, credit: i % 2 === 0 ? 1 : 5 },
      ...{ amount: BigInt(i + 1), gap_ms: 1, subject: `move-${i}` },
    };
  });
  await book(merchant_id, moves);
  for (const to of [-1, 0, 50, 150, 198, 900]) {
    const balances = await selectBalancesBefore(db, merchant_id, later(begin, to));
    for (const account of walletAccounts) {
      const { closing } = await statement(merchant_id, { account, from: null, to, limit: 100 });
      expect([account, balances.get(account) ?? 0n]).toEqual([account, closing]);
    }
  }
  // A cluster's workers count what they read.
  skip(inject('citusUrl') !== null);
  await db.query(sql`ANALYZE ledger_transfers`);
  for (const to of [50, 150, 198]) {
    const at = later(begin, to);
    expect(await transfersRead((tx) => selectBalancesBefore(tx, merchant_id, at))).toBeLessThan(110);
  }
});

test('D-282 money that waits for a decision, in its own currency, does not belong to the wallet', async () => {
  const merchant_id = '00000000-0000-4000-8000-000000000282';
  await book(merchant_id, [{ debit: 0, credit: 1, amount: 700n, gap_ms: 1, subject: 'top-up' }]);
  const receipt = {
    merchant_id,
    subject: 'mp_1',
    posting: 'P11',
    transfers: [transfer(providerClearing('ch_1', 'USD'), suspense('USD', 'case_1'), 100n)],
  } as const;
  await db.transaction((tx) => tx.write(post([receipt], later(begin, 2)).book));
  const all = { account: null, from: null, to: null, limit: 9 };
  expect(await statement(merchant_id, all)).toMatchObject({ opening: 0n, net: 700n, closing: 700n });
  expect(await statement(merchant_id, { ...all, from: 0 })).toMatchObject({ opening: 0n, closing: 700n });
});

test.for(walletAccounts.filter((account) => !['available', 'held'].includes(account)))(
  'D-431 the statement of %s reads its own indexes, which payments and releases do not enter',
  async (account, { skip }) => {
    // A cluster's plan names the shards.
    skip(inject('citusUrl') !== null);
    const moves = Array.from({ length: 300 }, (_, i): Move => {
      return {
        ...{ debit: i % 2 === 0 ? 0 : 2, credit: i % 2 === 0 ? 2 : 1 },
        amount: 5n,
        gap_ms: 1,
        subject: `busy-${account}-${i}`,
      };
    });
    await book(merchant_id, moves);
    await db.query(sql`ANALYZE ledger_transfers`);
    const plans: string[] = [];
    const explained = {
      query: async (asked: Parameters<Queryable['query']>[0]) => {
        const lines = await db.query<{ 'QUERY PLAN': string }>(sql`EXPLAIN ${asked}`);
        plans.push(lines.map((line) => line['QUERY PLAN']).join('\n'));
        return [];
      },
    } as unknown as Queryable;
    const filter = { account: `m:${account}`, booked: { from: begin, to: null } };
    const mark = { at: later(begin, 12_000), subject: 'z', posting: 'z', case_key: '', leg: 1 };
    await selectStatementStart(explained, merchant_id, filter, 10);
    await selectStatement(explained, merchant_id, filter, mark, 10);
    expect(plans).toHaveLength(2);
    for (const plan of plans) {
      for (const side of ['debits', 'credits'])
        expect(plan).toMatch(new RegExp(` (using|on) ledger_transfers_rare_${side} `));
      expect(plan).not.toMatch(/ledger_transfers_by_time|Seq Scan on ledger_transfers/);
    }
  },
);
