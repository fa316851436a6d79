/**
 * The SQL of sums of how far orders came, and of how their payments ended, by the quarters of an hour in which they were
 * created. A worker keeps them (D-540). Test orders do not count.
 */
import {
  dayIn,
  type DaysOfZone,
  type Queryable,
  type Row,
  type Sql,
  sql,
  type Tx,
} from '../../base/pg/index.ts';
import {
  allOf,
  isNew,
  type KeptSums,
  keptUntil,
  quarterOf,
  type Source,
  type SumsMark,
} from './sum-marks.sql.ts';

/** How many orders of one currency were paid, charged back and so on. */
export interface Outcomes extends Row {
  currency: string;
  currency_decimals: number;
  created: bigint;
  /** Orders whose payment was confirmed, including payments that were returned later. */
  confirmed: bigint;
  charged_back: bigint;
  /** Orders that are paid, and the total of their invoices. */
  paid: bigint;
  paid_minor: bigint;
}

/** How far they came. An order that reached a step counts in all steps before it. */
export interface ProgressSums extends Outcomes {
  opened: bigint;
  method_chosen: bigint;
  started: bigint;
}

/** How the orders of one channel ended: the facts of their last attempts there. */
export interface Endings extends Row {
  payment_no: string;
  state: string;
  /** Why the buyer was declined; null if the provider said nothing. */
  declined: string | null;
  /** Whether the provider made a page for the last attempt. */
  had_page: boolean;
  orders: bigint;
  /** How many of them reached the provider's page. */
  started: bigint;
}

type OfQuarter<T> = T & { quarter: Date };

/**
 * The sums of a quarter do not count where an attempt was under way when they were made, or where an order, an attempt or
 * an opening has stored the number of its transaction since (D-541).
 */
export const progressSums: KeptSums = {
  marks: sql`progress_sum_marks`,
  open: sql`p.open_quarters`,
  stale: (id) => sql`
    SELECT unnest(k.open_quarters) AS quarter
    UNION SELECT ${quarterOf(sql`o.created_at`)} FROM collection_orders o
    WHERE o.merchant_id = ${id} AND ${isNew(sql`o.changed_xact`)} AND o.created_at < k.kept_until
    UNION SELECT ${quarterOf(sql`o.created_at`)} FROM payment_attempts a
      JOIN collection_orders o ON o.merchant_id = ${id} AND o.order_no = a.order_no
    WHERE a.merchant_id = ${id} AND ${isNew(sql`a.changed_xact`)} AND o.created_at < k.kept_until
    UNION SELECT ${quarterOf(sql`o.created_at`)} FROM checkout_openings v
      JOIN collection_orders o ON o.merchant_id = ${id} AND o.order_no = v.order_no
    WHERE v.merchant_id = ${id} AND ${isNew(sql`v.changed_xact`)} AND o.created_at < k.kept_until`,
};

/** Sums of one kind: where they are, their columns, and how rows are added up. */
interface Kind extends Source {
  columns: Sql;
  key: Sql;
  added: Sql;
}

/** The provider has made a page for the buyer, or the buyer paid in PTK. */
const hasBegun = sql`a.session_id IS NOT NULL OR a.provider = 'ptk'`;

/** How far each order came, as the order itself says. */
const told = (
  steps: Sql,
): Sql => sql`o.created_at AS at, o.currency, o.currency_decimals, 1 AS created, ${steps},
  (o.event_id IS NOT NULL)::int AS confirmed, (o.status = 'chargeback')::int AS charged_back,
  (o.status = 'paid')::int AS paid, CASE WHEN o.status = 'paid' THEN o.amount_minor ELSE 0 END AS paid_minor`;

const outcomeSums = sql`sum(created)::bigint AS created, sum(confirmed)::bigint AS confirmed,
  sum(charged_back)::bigint AS charged_back, sum(paid)::bigint AS paid, sum(paid_minor) AS paid_minor`;

const progressKey = sql`currency, currency_decimals`;
const progressColumns = sql`${progressKey}, created, opened, method_chosen, started, confirmed, charged_back, paid,
  paid_minor`;
const progress: Kind = {
  columns: progressColumns,
  key: progressKey,
  sums: progressSums,
  added: sql`sum(opened)::bigint AS opened, sum(method_chosen)::bigint AS method_chosen,
    sum(started)::bigint AS started, ${outcomeSums}`,
  kept: (id) =>
    sql`SELECT s.quarter AS at, ${progressColumns} FROM progress_sums s WHERE s.merchant_id = ${id}`,
  // Each order is a look-up in two keys.
  orders: (id, from, to) => sql`
    SELECT ${told(sql`(o.event_id IS NOT NULL OR a.attempts > 0 OR EXISTS (SELECT 1 FROM checkout_openings v
        WHERE v.merchant_id = ${id} AND v.order_no = o.order_no))::int AS opened,
      (o.event_id IS NOT NULL OR a.attempts > 0)::int AS method_chosen,
      (o.event_id IS NOT NULL OR a.begun > 0)::int AS started`)}
    FROM collection_orders o CROSS JOIN LATERAL (
      SELECT count(*) AS attempts, count(*) FILTER (WHERE ${hasBegun}) AS begun
      FROM payment_attempts a WHERE a.merchant_id = ${id} AND a.order_no = o.order_no) a
    WHERE o.merchant_id = ${id} AND o.created_at >= ${from} AND o.created_at < ${to} AND NOT o.test_mode`,
};

/** The same without the steps before the payment, so without a look-up. */
const outcomes: Kind = {
  ...progress,
  added: outcomeSums,
  orders: (id, from, to) => sql`
    SELECT ${told(sql`0 AS opened, 0 AS method_chosen, 0 AS started`)} FROM collection_orders o
    WHERE o.merchant_id = ${id} AND o.created_at >= ${from} AND o.created_at < ${to} AND NOT o.test_mode`,
};

const endingKey = sql`payment_no, state, declined, had_page`;
const endings: Kind = {
  columns: sql`${endingKey}, orders, started`,
  key: endingKey,
  sums: progressSums,
  added: sql`sum(orders)::bigint AS orders, sum(started)::bigint AS started`,
  kept: (id) =>
    sql`SELECT s.quarter AS at, ${endingKey}, orders, started FROM ending_sums s WHERE s.merchant_id = ${id}`,
  // For an order at a channel, a paid attempt counts, or else the last attempt.
  orders: (id, from, to) => sql`
    SELECT o.created_at AS at, e.* FROM collection_orders o CROSS JOIN LATERAL (
      SELECT DISTINCT ON (a.payment_no) a.payment_no, a.state, coalesce(a.detail ->> 'declined', '') AS declined,
        a.session_id IS NOT NULL AS had_page, 1 AS orders,
        (bool_or(${hasBegun}) OVER (PARTITION BY a.payment_no))::int AS started
      FROM payment_attempts a WHERE a.merchant_id = ${id} AND a.order_no = o.order_no
      ORDER BY a.payment_no, a.paid_at IS NULL, a.seq DESC) e
    WHERE o.merchant_id = ${id} AND o.created_at >= ${from} AND o.created_at < ${to} AND NOT o.test_mode`,
};

/**
 * A reading of the orders that a merchant created in some days of a zone: from a whole quarter of an hour up to
 * another.
 */
export interface Reading extends DaysOfZone {
  merchant_id: string;
  /** Whether sums are kept here at all: not on several servers, as each counts transactions by itself. */
  is_kept: boolean;
}

const rowsOf = (kind: Kind, { merchant_id, since, until, is_kept }: Reading): Sql =>
  (is_kept ? allOf.bind(null, kind) : kind.orders)(
    sql`${merchant_id}::uuid`,
    sql`${since}::timestamptz`,
    sql`${until}::timestamptz`,
  );

/** Sums of a day. */
export type DayOfProgress = ProgressSums & { day: string };

/** Counts the orders that were created in a range by how far they came, by day. */
export function selectProgress(db: Queryable, reading: Reading): Promise<DayOfProgress[]> {
  return db.query<DayOfProgress>(
    sql`SELECT ${dayIn(sql`at`, reading)} AS day, ${progressKey}, ${progress.added}
      FROM (${rowsOf(progress, reading)}) orders GROUP BY 1, 2, 3`,
  );
}

/** Counts the orders that were created in a range by channel, and by how their last attempt there ended. */
export function selectEndings(db: Queryable, reading: Reading): Promise<Endings[]> {
  return db.query<Endings>(
    sql`SELECT payment_no, state, nullif(declined, '') AS declined, had_page, ${endings.added}
      FROM (${rowsOf(endings, reading)}) orders GROUP BY 1, 2, 3, 4`,
  );
}

/** Counts the orders that were created in a range and are in no kept sum for their age, up to `most`. */
export async function countUnkept(
  db: Queryable,
  { merchant_id, since, until, is_kept }: Reading,
  most: number,
): Promise<bigint> {
  const id = sql`${merchant_id}::uuid`;
  const kept_until = is_kept ? keptUntil(progressSums, id) : sql`'-infinity'`;
  const [row] = await db.query<{ orders: bigint }>(
    sql`SELECT count(*) AS orders FROM (SELECT 1 FROM collection_orders o WHERE o.merchant_id = ${id}
        AND o.created_at >= greatest(${since}::timestamptz, ${kept_until}) AND o.created_at < ${until}
        LIMIT ${most}) orders`,
  );
  return row?.orders ?? 0n;
}

/** Counts the orders of these merchants that were created since an instant. */
export function selectMerchantOutcomes(
  db: Queryable,
  merchant_ids: readonly string[],
  since: Date,
  is_kept: boolean,
): Promise<(Outcomes & { merchant_id: string })[]> {
  const id = sql`m.merchant_id`;
  const from = sql`${since}::timestamptz`;
  const rows = is_kept
    ? sql`SELECT ${progressKey}, ${outcomes.added}
        FROM (${allOf(outcomes, id, from, sql`'infinity'::timestamptz`)}) orders GROUP BY 1, 2`
    : sql`SELECT ${progressKey}, count(*) AS created, count(event_id) AS confirmed,
          count(*) FILTER (WHERE status = 'chargeback') AS charged_back,
          count(*) FILTER (WHERE status = 'paid') AS paid,
          coalesce(sum(amount_minor) FILTER (WHERE status = 'paid'), 0) AS paid_minor
        FROM collection_orders WHERE merchant_id = ${id} AND created_at >= ${from} AND NOT test_mode GROUP BY 1, 2`;
  return db.query<Outcomes & { merchant_id: string }>(
    sql`SELECT m.merchant_id, o.* FROM merchants m CROSS JOIN LATERAL (${rows}) o
      WHERE m.merchant_id = ANY (${merchant_ids}::uuid[])`,
  );
}

/** Puts the sums of the orders between two times, of whole quarters, in the place of those that are kept. */
export async function sumProgress(tx: Tx, merchant_id: string, from: Date, to: Date): Promise<void> {
  await tx.query(
    sql`DELETE FROM progress_sums WHERE merchant_id = ${merchant_id} AND quarter >= ${from} AND quarter < ${to}`,
  );
  await tx.query(
    sql`DELETE FROM ending_sums WHERE merchant_id = ${merchant_id} AND quarter >= ${from} AND quarter < ${to}`,
  );
  const sumsOf = (kind: Kind): Sql => sql`
    SELECT ${quarterOf(sql`at`)} AS quarter, ${kind.key}, ${kind.added}
    FROM (${kind.orders(sql`${merchant_id}::uuid`, sql`${from}::timestamptz`, sql`${to}::timestamptz`)}) orders`;
  const made = await tx.query<OfQuarter<ProgressSums>>(sql`${sumsOf(progress)} GROUP BY 1, 2, 3`);
  const ended = await tx.query<OfQuarter<Endings> & { declined: string }>(
    sql`${sumsOf(endings)} GROUP BY 1, 2, 3, 4, 5`,
  );
  await Promise.all([
    ...made.map((s) =>
      tx.query(sql`INSERT INTO progress_sums (merchant_id, quarter, ${progress.columns})
        VALUES (${merchant_id}, ${s.quarter}, ${s.currency}, ${s.currency_decimals}, ${s.created}, ${s.opened},
          ${s.method_chosen}, ${s.started}, ${s.confirmed}, ${s.charged_back}, ${s.paid}, ${s.paid_minor})`),
    ),
    ...ended.map((s) =>
      tx.query(sql`INSERT INTO ending_sums (merchant_id, quarter, ${endings.columns})
        VALUES (${merchant_id}, ${s.quarter}, ${s.payment_no}, ${s.state}, ${s.declined}, ${s.had_page}, ${s.orders},
          ${s.started})`),
    ),
  ]);
}

/** Writes how far the sums go, and which quarters have an attempt under way: a worker looks at few of them. */
export async function updateProgressMark(tx: Tx, merchant_id: string, mark: SumsMark): Promise<void> {
  const [row] = await tx.query<{ quarters: Date[] }>(
    sql`SELECT ARRAY(SELECT DISTINCT ${quarterOf(sql`o.created_at`)} FROM payment_attempts a
          JOIN collection_orders o ON o.merchant_id = ${merchant_id} AND o.order_no = a.order_no
        WHERE a.merchant_id = ${merchant_id} AND a.check_at IS NOT NULL
          AND a.state IN ('creating', 'open', 'unknown', 'processing') AND o.created_at < ${mark.kept_until}) AS quarters`,
  );
  await tx.query(
    sql`INSERT INTO progress_sum_marks (merchant_id, kept_until, snapshot, counted_by, open_quarters)
      VALUES (${merchant_id}, ${mark.kept_until}, ${mark.snapshot}, ${mark.counted_by}, ${row?.quarters ?? []})
      ON CONFLICT (merchant_id) DO UPDATE SET kept_until = excluded.kept_until, snapshot = excluded.snapshot,
        counted_by = excluded.counted_by, open_quarters = excluded.open_quarters`,
  );
}
