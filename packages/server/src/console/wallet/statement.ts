/**
 * The statement of a period: the balance before it, every movement on the merchant's own accounts with the balance
 * after it, and what they add up to (D-282). Invariant: opening balance + changes = closing balance, for each account
 * and in total (D-225). Debts count as negative.
 */
import type { walletAccounts } from '@paydesk/contract';
import type { Queryable } from '../../base/pg/index.ts';
import {
  ofTests,
  selectBalancesBefore,
  selectStatementForward,
  selectTestSubjects,
  type StatementMark,
  type TransferRow,
} from '../../ledger/books/index.ts';
import type { Period } from './period.ts';
import { type Part, partsOf } from './statement-parts.ts';
import { changeOf, walletLine } from './wallet-line.ts';

type Account = (typeof walletAccounts)[number];

export interface StatementLine {
  line: ReturnType<typeof walletLine>;
  /** What the merchant has more after it, or less if negative; 0 where it moved between their own accounts. */
  change: bigint;
  balance: bigint;
}

/** What the lines so far add up to. */
export interface Sums {
  opening: bigint;
  incoming: bigint;
  outgoing: bigint;
  closing: bigint;
  lines: number;
  /** What the net is made of; tests are apart. */
  parts: Part[];
  accounts: { account: Account; opening: bigint; closing: bigint }[];
}

export interface Statement {
  period: Period;
  opening: bigint;
  /** Every line, oldest first. */
  lines: AsyncIterable<readonly StatementLine[]>;
  /** Complete once all lines were read. */
  sums: () => Sums;
}

const pageSize = 500;

const sumOf = (balances: ReadonlyMap<string, bigint>): bigint =>
  [...balances.values()].reduce((sum, one) => sum + one, 0n);

/** What the wallet had at a time: the balance with which a period from then on begins. */
export const openingBalance = async (db: Queryable, merchant_id: string, at: Date): Promise<bigint> =>
  sumOf(await selectBalancesBefore(db, merchant_id, at));

/** Opens the statement of a period. Its lines are read as they are asked for, page by page. */
export async function openStatement(
  db: Queryable,
  merchant_id: string,
  period: Period,
  accounts: readonly Account[],
): Promise<Statement> {
  const before = await selectBalancesBefore(db, merchant_id, period.from);
  const now = new Map(before);
  const opening = sumOf(before);
  const by_posting = new Map<string, bigint>();
  let [incoming, outgoing, closing, count] = [0n, 0n, opening, 0];
  const book = (transfer: TransferRow, isTest: boolean): StatementLine => {
    const line = walletLine(transfer, isTest);
    const { amount } = transfer;
    if (line.to !== null) now.set(line.to, (now.get(line.to) ?? 0n) + amount);
    if (line.from !== null) now.set(line.from, (now.get(line.from) ?? 0n) - amount);
    const change = changeOf(transfer, null);
    if (change > 0n) incoming += change;
    else outgoing -= change;
    closing += change;
    const part = line.test_mode ? ofTests : line.posting;
    by_posting.set(part, (by_posting.get(part) ?? 0n) + change);
    count++;
    return { line, change, balance: closing };
  };
  async function* read(): AsyncGenerator<readonly StatementLine[]> {
    for (let after: StatementMark | null = null; ;) {
      const rows: TransferRow[] = await selectStatementForward(db, merchant_id, period, after, pageSize);
      const tests = await selectTestSubjects(
        db,
        merchant_id,
        rows.map(({ subject }) => subject),
      );
      if (rows.length > 0) yield rows.map((row) => book(row, tests.has(row.subject)));
      after = rows.at(-1) ?? null;
      if (after === null || rows.length < pageSize) return;
    }
  }
  return {
    period,
    opening,
    lines: read(),
    sums: () => ({
      ...{ opening, incoming, outgoing, closing, lines: count, parts: partsOf(by_posting) },
      accounts: accounts.map((account) => ({
        account,
        opening: before.get(account) ?? 0n,
        closing: now.get(account) ?? 0n,
      })),
    }),
  };
}
