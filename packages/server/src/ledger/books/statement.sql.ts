/** The statement of a merchant's wallet: its transfers page by page. */
import { join, sql, type Queryable, type Sql } from '../../base/pg/index.ts';
import type { TimeSpan } from '../../base/input/time-span.ts';
import { accountKindNames, growthOf } from './account-kinds.ts';
import type { TransferRow } from './ledger.sql.ts';

/** The last line of a page; the next page starts after it. */
export interface StatementMark {
  at: Date;
  subject: string;
  posting: string;
  case_key: string;
  leg: number;
}

export interface StatementFilter {
  /** The kind of account, such as `m:held`; null for all of the merchant's own accounts. */
  account: string | null;
  booked: TimeSpan;
}

/** The transfers on a merchant's own accounts, newest first, after a mark. */
export function selectStatement(
  db: Queryable,
  merchant_id: string,
  filter: StatementFilter,
  behind: StatementMark,
  limit: number,
): Promise<TransferRow[]> {
  return db.query<TransferRow>(statementPage(merchant_id, filter, behind, limit));
}

/**
 * The posting that pays an order by a test. An order that a test has tried to pay, or pays once more, can be paid by real
 * money (D-1281).
 */
const isTestPayment = sql`test_mode AND posting = 'P1'`;

/** Finds which of these orders were paid by a test: the release of their hold does not say so itself. */
export async function selectTestSubjects(
  db: Queryable,
  merchant_id: string,
  subjects: readonly string[],
): Promise<Set<string>> {
  if (subjects.length === 0) return new Set();
  const rows = await db.query<{ subject: string }>(
    sql`SELECT DISTINCT subject FROM ledger_transfers
      WHERE merchant_id = ${merchant_id} AND ${isTestPayment} AND subject = ANY (${[...new Set(subjects)]}::text[])`,
  );
  return new Set(rows.map(({ subject }) => subject));
}

/** How much of a merchant's held proceeds is from tests. */
export async function selectHeldOfTests(db: Queryable, merchant_id: string): Promise<bigint> {
  const [row] = await db.query<{ held: bigint }>(
    sql`SELECT coalesce(sum(balance), 0) AS held FROM ledger_balances
      WHERE merchant_id = ${merchant_id} AND account = 'm:held' AND balance > 0
        AND ref IN (SELECT subject FROM ledger_transfers WHERE merchant_id = ${merchant_id} AND ${isTestPayment})`,
  );
  return row?.held ?? 0n;
}

/** The total of a statement's accounts at its end, and the change since its beginning. */
export interface StatementTotals {
  closing: bigint;
  net: bigint;
  /** The net by posting and `ofTests`. Only for the whole wallet and since a time, so the database adds up few lines. */
  by_posting: ReadonlyMap<string, bigint> | null;
}

/** The newest transfers of a statement with its totals: in one statement, so that both are of one instant. */
export async function selectStatementStart(
  db: Queryable,
  merchant_id: string,
  filter: StatementFilter,
  limit: number,
): Promise<{ transfers: TransferRow[]; totals: StatementTotals }> {
  const { account, booked } = filter;
  const since = (at: Date | null): Sql => changeSince(merchant_id, account, at);
  const isParted = account === null && booked.from !== null && !isEmpty(booked);
  const parts = isParted ? changeByPosting(merchant_id, booked) : sql`SELECT NULL::json`;
  const [first, ...others] = await db.query<TransferRow & TotalsRow>(
    sql`SELECT page.*, total.stored, total.since, total.later, total.parts
      FROM (SELECT (${storedBalance(merchant_id, account)}) AS stored,
          (${since(isParted ? null : booked.from)}) AS since, (${since(booked.to)}) AS later, (${parts}) AS parts) total
      LEFT JOIN (${statementPage(merchant_id, filter, null, limit)}) page ON true
      ORDER BY at DESC, subject DESC, posting DESC, case_key DESC, leg DESC`,
  );
  const { stored = 0n, since: moved = 0n, later = 0n, parts: changes = null } = first ?? {};
  const closing = stored - later;
  const by_posting = isParted
    ? new Map(Object.entries(changes ?? {}).map(([posting, change]) => [posting, BigInt(change)]))
    : null;
  const whole = booked.from === null ? closing : isEmpty(booked) ? 0n : moved - later;
  // The changes by posting add up to the net, so the database does not add it up a second time.
  const net =
    by_posting === null ? whole : [...by_posting.values()].reduce((sum, change) => sum + change, 0n);
  return {
    // Without a transfer there is one row, of totals.
    transfers: first === undefined || (first.subject as string | null) === null ? [] : [first, ...others],
    totals: { closing, net, by_posting },
  };
}

interface TotalsRow {
  stored: bigint;
  since: bigint;
  later: bigint;
  /** Changes as text, since numbers in JSON are not exact. */
  parts: Record<string, string> | null;
}

const isEmpty = ({ from, to }: TimeSpan): boolean => from !== null && to !== null && from >= to;

const debts = accountKindNames.filter((kind) => kind.startsWith('m:') && growthOf(kind) === 'debit');

/** The total of the accounts now; debts are negative. The book also has suspense, which is not the merchant's money. */
const storedBalance = (merchant_id: string, account: string | null): Sql =>
  sql`SELECT coalesce(sum(CASE WHEN account = ANY (${debts}::text[]) THEN -balance ELSE balance END), 0)
    FROM ledger_balances WHERE merchant_id = ${merchant_id} AND balance > 0
      ${account === null ? sql`AND account LIKE 'm:%'` : sql`AND account = ${account}`}`;

/** The change of the accounts since a time: credits less debits, so debts are negative. */
function changeSince(merchant_id: string, account: string | null, at: Date | null): Sql {
  if (at === null) return sql`SELECT 0::numeric`;
  if (account !== null && !busy.includes(account)) {
    const side = (of: Sql): Sql => sql`SELECT coalesce(sum(amount), 0) FROM ledger_transfers
      WHERE merchant_id = ${merchant_id} AND ${isOfRare(of, account)} AND at >= ${at}`;
    return sql`SELECT (${side(sql`credit_account`)}) - (${side(sql`debit_account`)})`;
  }
  const isOn = (side: Sql): Sql => (account === null ? sql`${side} LIKE 'm:%'` : isOf(side, account));
  return sql`SELECT coalesce(sum(CASE WHEN ${isOn(sql`credit_account`)} THEN amount ELSE 0 END
      - CASE WHEN ${isOn(sql`debit_account`)} THEN amount ELSE 0 END), 0)
    FROM ledger_transfers WHERE merchant_id = ${merchant_id}
      AND (debit_account LIKE 'm:%' OR credit_account LIKE 'm:%') AND at >= ${at}`;
}

/** The key for the changes by tests, among the postings. */
export const ofTests = 'tests';

/** The change of a merchant's own accounts in a span of time: by posting, and the changes by tests. */
const changeByPosting = (merchant_id: string, { from, to }: TimeSpan): Sql =>
  sql`SELECT json_object_agg(part, change::text) FROM (
      SELECT CASE WHEN ${isOfTest(merchant_id)} THEN ${ofTests} ELSE posting END AS part,
        sum(CASE WHEN credit_account LIKE 'm:%' THEN amount ELSE 0 END
        - CASE WHEN debit_account LIKE 'm:%' THEN amount ELSE 0 END) AS change
      FROM ledger_transfers WHERE merchant_id = ${merchant_id} AND ${isOwn} AND at >= ${from}
        ${to === null ? sql`` : sql`AND at < ${to}`}
      GROUP BY 1) changes`;

/** Whether a transfer belongs to a test. Each says so itself, but for the release of a hold (P3). */
const isOfTest = (merchant_id: string): Sql =>
  sql`(test_mode OR posting = 'P3' AND subject IN (
    SELECT subject FROM ledger_transfers WHERE merchant_id = ${merchant_id} AND ${isTestPayment}))`;

function statementPage(
  merchant_id: string,
  { account, booked: { from, to } }: StatementFilter,
  behind: StatementMark | null,
  limit: number,
): Sql {
  const conditions = [
    ...(from === null ? [] : [sql`at >= ${from}`]),
    ...(to === null ? [] : [sql`at < ${to}`]),
    ...(behind === null
      ? []
      : [
          sql`(at, subject, posting, case_key, leg) < (${behind.at}, ${behind.subject}, ${behind.posting},
            ${behind.case_key}, ${behind.leg})`,
        ]),
  ];
  const page = (isOn: Sql): Sql => sql`
    SELECT subject, posting, case_key, leg, debit_account, credit_account, currency, amount, test_mode, at
    FROM ledger_transfers WHERE merchant_id = ${merchant_id} AND ${join([isOn, ...conditions], ' AND ')}
    ORDER BY at DESC, subject DESC, posting DESC, case_key DESC, leg DESC LIMIT ${limit}`;
  if (account === null) return page(isOwn);
  if (busy.includes(account))
    return page(
      sql`${isOwn} AND (${isOf(sql`debit_account`, account)} OR ${isOf(sql`credit_account`, account)})`,
    );
  // Each side has its own index. A transfer from one such account to another of the same kind is found twice.
  return sql`SELECT * FROM ((${page(isOfRare(sql`debit_account`, account))}) UNION
      (${page(isOfRare(sql`credit_account`, account))})) sides
    ORDER BY at DESC, subject DESC, posting DESC, case_key DESC, leg DESC LIMIT ${limit}`;
}

// The conditions are written as in the indexes, so that PostgreSQL uses the indexes.
const isOwn = sql`(debit_account LIKE 'm:%' OR credit_account LIKE 'm:%')`;
/** The accounts that nearly all transfers touch; the others have separate indexes (D-431). */
const busy = ['m:available', 'm:held'];
/** An account's name is its kind (`m:available`), or its kind and an order (`m:held:mp_…`). */
const isOf = (side: Sql, account: string): Sql =>
  sql`(${side} = ${account} OR starts_with(${side}, ${`${account}:`}))`;
const isOfRare = (side: Sql, account: string): Sql =>
  sql`${side} LIKE 'm:%' AND split_part(${side}, ':', 2) NOT IN ('available', 'held')
    AND split_part(${side}, ':', 2) = ${account.slice(2)}`;

/** The transfers on a merchant's own accounts in a span of time, oldest first, after a mark. */
export function selectStatementForward(
  db: Queryable,
  merchant_id: string,
  { from, to }: { from: Date; to: Date },
  after: StatementMark | null,
  limit: number,
): Promise<TransferRow[]> {
  const rest =
    after === null
      ? sql``
      : sql`AND (at, subject, posting, case_key, leg) > (${after.at}, ${after.subject}, ${after.posting},
          ${after.case_key}, ${after.leg})`;
  return db.query<TransferRow>(
    sql`SELECT subject, posting, case_key, leg, debit_account, credit_account, currency, amount, test_mode, at
      FROM ledger_transfers WHERE merchant_id = ${merchant_id}
        AND (debit_account LIKE 'm:%' OR credit_account LIKE 'm:%') AND at >= ${from} AND at < ${to} ${rest}
      ORDER BY at, subject, posting, case_key, leg LIMIT ${limit}`,
  );
}

/**
 * The balance of each kind of a merchant's own accounts before a time: credits less debits, so debts are negative. It reads the
 * transfers before that time, or, where it is nearer to the last one, takes those since then off the stored balances (D-1120).
 *
 * @returns by kind without its prefix, such as `available`
 */
export async function selectBalancesBefore(
  db: Queryable,
  merchant_id: string,
  at: Date,
): Promise<Map<string, bigint>> {
  const rows = await db.query<{ account: string; balance: bigint }>(
    sql`SELECT account, sum(change) AS balance FROM (${await changesBefore(db, merchant_id, at)}) moved GROUP BY account`,
  );
  return new Map(rows.map(({ account, balance }) => [account, balance]));
}

async function changesBefore(db: Queryable, merchant_id: string, at: Date): Promise<Sql> {
  const [ends] = await db.query<{ first: Date | null; last: Date | null }>(
    sql`SELECT min(at) AS first, max(at) AS last FROM ledger_transfers WHERE merchant_id = ${merchant_id} AND ${isOwn}`,
  );
  const [first, last] = [ends?.first?.getTime() ?? 0, ends?.last?.getTime() ?? 0];
  const side = (account: Sql, change: Sql, when: Sql): Sql =>
    sql`SELECT split_part(${account}, ':', 2) AS account, ${change} AS change FROM ledger_transfers
      WHERE merchant_id = ${merchant_id} AND ${account} LIKE 'm:%' AND ${when}`;
  const [credit, debit] = [sql`credit_account`, sql`debit_account`];
  if (at.getTime() - first <= last - at.getTime()) {
    const before = sql`at < ${at}`;
    return sql`${side(credit, sql`amount`, before)} UNION ALL ${side(debit, sql`-amount`, before)}`;
  }
  const since = sql`at >= ${at}`;
  return sql`SELECT split_part(account, ':', 2) AS account,
      CASE WHEN account = ANY (${debts}::text[]) THEN -balance ELSE balance END AS change
    FROM ledger_balances WHERE merchant_id = ${merchant_id} AND balance > 0 AND account LIKE 'm:%'
    UNION ALL ${side(credit, sql`-amount`, since)} UNION ALL ${side(debit, sql`amount`, since)}`;
}
