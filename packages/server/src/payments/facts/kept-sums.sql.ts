/** SQL that compares the kept sums of orders with the orders. */
import { platformBook } from '../../base/ids.ts';
import { type Queryable, type Row, type Sql, sql } from '../../base/pg/index.ts';
import { isNewHere, merchantsWithin, type Scope } from '../../ledger/verification/index.ts';

/** What findings about the sums of a merchant's orders are about. */
export const sumsSubject = 'order sums';

/** A merchant whose kept sums differ from its orders. */
export interface SumsFault extends Row {
  owner: string;
  /** How many sums of a quarter of an hour and a currency differ, and the first of them. */
  quarters: number;
  first: Date;
}

/** The merchants whose sums are in a scope. */
const sumsScope = (scope: Scope): Scope =>
  scope === null
    ? null
    : {
        merchant_ids: scope.merchant_ids.filter((_, i) => scope.subjects[i] === sumsSubject),
        subjects: [],
      };

/** Whether a change is newer than the mark `k`. */
const isNew = (xact: Sql): Sql => isNewHere(sql`k.snapshot`, xact);

const quarterOf = (time: Sql): Sql => sql`date_bin('15 minutes', ${time}, '2000-01-01Z'::timestamptz)`;

/**
 * Adds up the orders of each quarter of an hour, and compares. Skips the quarters with an order that has changed since
 * its sums were made: these sums do not count (D-397).
 */
export function selectSumsFaults(db: Queryable, scope: Scope, limit: number): Promise<SumsFault[]> {
  const wanted = sumsScope(scope);
  if (wanted?.merchant_ids.length === 0) return Promise.resolve([]);
  const orders = (time: Sql, counted: Sql): Sql => sql`
    SELECT o.merchant_id, ${quarterOf(time)} AS quarter, o.currency, o.currency_decimals, ${counted}
    FROM marks k JOIN collection_orders o ON o.merchant_id = k.merchant_id
    WHERE ${time} < k.kept_until AND NOT o.test_mode`;
  return db.query<SumsFault>(
    sql`WITH marks AS (
        SELECT merchant_id, kept_until, snapshot::pg_snapshot AS snapshot FROM order_sum_marks
        WHERE ${merchantsWithin(wanted, sql`merchant_id`)}
          AND counted_by = (SELECT system_identifier::text FROM pg_control_system())
      ), actual AS (
        SELECT merchant_id, quarter, currency, currency_decimals, sum(created) AS created,
          sum(created_paid) AS created_paid, sum(paid) AS paid, sum(paid_minor) AS paid_minor
        FROM (
          ${orders(sql`o.created_at`, sql`1 AS created, (o.status = 'paid')::int AS created_paid, 0 AS paid, 0::numeric AS paid_minor`)}
          UNION ALL
          ${orders(sql`o.occurred_at`, sql`0, 0, 1, o.amount_minor`)} AND o.status = 'paid'
        ) one GROUP BY 1, 2, 3, 4
      ), kept AS (
        SELECT s.* FROM marks k JOIN order_sums s ON s.merchant_id = k.merchant_id AND s.quarter < k.kept_until
      ), changed AS (
        SELECT o.merchant_id, ${quarterOf(sql`t.at`)} AS quarter
        FROM marks k JOIN collection_orders o ON o.merchant_id = k.merchant_id AND o.changed_xact IS NOT NULL
          AND ${isNew(sql`o.changed_xact`)}
          CROSS JOIN LATERAL (VALUES (o.created_at), (o.occurred_at)) AS t (at)
      )
      SELECT merchant_id::text AS owner, count(*)::int AS quarters, min(quarter) AS first
      FROM actual a FULL JOIN kept k USING (merchant_id, quarter, currency, currency_decimals)
      WHERE (a.created, a.created_paid, a.paid, a.paid_minor)
          IS DISTINCT FROM (k.created::numeric, k.created_paid::numeric, k.paid::numeric, k.paid_minor)
        AND (merchant_id, quarter) NOT IN (SELECT merchant_id, quarter FROM changed WHERE quarter IS NOT NULL)
      GROUP BY merchant_id ORDER BY 1 LIMIT ${limit}`,
  );
}

/** Whether the sums of all merchants together differ from the sums of each (D-639). A trigger adds each merchant's sums (D-638). */
export function selectPlatformSumsFault(db: Queryable, scope: Scope): Promise<SumsFault[]> {
  if (sumsScope(scope)?.merchant_ids.includes(platformBook) === false) return Promise.resolve([]);
  return db.query<SumsFault>(
    sql`WITH sums AS (
        SELECT quarter, currency, currency_decimals, created, created_paid, paid, paid_minor FROM order_sums
        UNION ALL
        SELECT quarter, currency, currency_decimals, -created, -created_paid, -paid, -paid_minor FROM platform_sums
      ), differing AS (
        SELECT quarter FROM sums GROUP BY quarter, currency, currency_decimals
        HAVING (sum(created), sum(created_paid), sum(paid), sum(paid_minor)) <> (0, 0, 0, 0)
      )
      SELECT ${platformBook}::text AS owner, count(*)::int AS quarters, min(quarter) AS first FROM differing
      HAVING count(*) > 0`,
  );
}

/**
 * The same of how far the orders came, and of how their payments ended (D-540). Skips the quarters whose sums do not count,
 * because an attempt was under way or something has changed since.
 */
export function selectProgressFaults(db: Queryable, scope: Scope, limit: number): Promise<SumsFault[]> {
  const wanted = sumsScope(scope);
  if (wanted?.merchant_ids.length === 0) return Promise.resolve([]);
  return db.query<SumsFault>(
    sql`WITH marks AS (
        SELECT merchant_id, kept_until, open_quarters, snapshot::pg_snapshot AS snapshot FROM progress_sum_marks
        WHERE ${merchantsWithin(wanted, sql`merchant_id`)}
          AND counted_by = (SELECT system_identifier::text FROM pg_control_system())
      ), orders AS (
        SELECT o.merchant_id, o.order_no, ${quarterOf(sql`o.created_at`)} AS quarter, o.currency, o.currency_decimals,
          o.status, o.event_id, o.amount_minor
        FROM marks k JOIN collection_orders o ON o.merchant_id = k.merchant_id
        WHERE o.created_at < k.kept_until AND NOT o.test_mode
      ), attempts AS (
        SELECT o.merchant_id, o.order_no, o.quarter, a.payment_no, a.seq, a.state, a.paid_at,
          coalesce(a.detail ->> 'declined', '') AS declined, a.session_id IS NOT NULL AS had_page,
          a.session_id IS NOT NULL OR a.provider = 'ptk' AS begun
        FROM orders o JOIN payment_attempts a ON a.merchant_id = o.merchant_id AND a.order_no = o.order_no
      ), came AS (
        SELECT o.*, bool_or(a.session_id IS NOT NULL OR a.provider = 'ptk') AS begun
        FROM orders o LEFT JOIN payment_attempts a ON a.merchant_id = o.merchant_id AND a.order_no = o.order_no
        GROUP BY 1, 2, 3, 4, 5, 6, 7, 8
      ), progress AS (
        SELECT o.merchant_id, o.quarter, o.currency, o.currency_decimals, count(*) AS created,
          count(*) FILTER (WHERE o.event_id IS NOT NULL OR o.begun IS NOT NULL OR v.order_no IS NOT NULL) AS opened,
          count(*) FILTER (WHERE o.event_id IS NOT NULL OR o.begun IS NOT NULL) AS method_chosen,
          count(*) FILTER (WHERE o.event_id IS NOT NULL OR o.begun) AS started, count(o.event_id) AS confirmed,
          count(*) FILTER (WHERE o.status = 'chargeback') AS charged_back,
          count(*) FILTER (WHERE o.status = 'paid') AS paid,
          coalesce(sum(o.amount_minor) FILTER (WHERE o.status = 'paid'), 0) AS paid_minor
        FROM came o
          LEFT JOIN checkout_openings v ON v.merchant_id = o.merchant_id AND v.order_no = o.order_no
        GROUP BY 1, 2, 3, 4
      ), endings AS (
        SELECT merchant_id, quarter, payment_no, (array_agg((state, declined, had_page)::text
            ORDER BY paid_at IS NULL, seq DESC))[1] AS ending, bool_or(begun) AS begun
        FROM attempts GROUP BY merchant_id, quarter, payment_no, order_no
      ), kept_progress AS (
        SELECT s.merchant_id, s.quarter, s.currency, s.currency_decimals, s.created, s.opened, s.method_chosen,
          s.started, s.confirmed, s.charged_back, s.paid, s.paid_minor
        FROM marks k JOIN progress_sums s ON s.merchant_id = k.merchant_id AND s.quarter < k.kept_until
      ), kept_endings AS (
        SELECT s.merchant_id, s.quarter, s.payment_no, (s.state, s.declined, s.had_page)::text AS ending, s.orders,
          s.started
        FROM marks k JOIN ending_sums s ON s.merchant_id = k.merchant_id AND s.quarter < k.kept_until
      ), ended AS (
        SELECT merchant_id, quarter, payment_no, ending, count(*) AS orders,
          count(*) FILTER (WHERE begun) AS started FROM endings GROUP BY 1, 2, 3, 4
      ), differing AS (
        SELECT merchant_id, quarter FROM ((TABLE progress EXCEPT TABLE kept_progress)
          UNION ALL (TABLE kept_progress EXCEPT TABLE progress)) p
        UNION SELECT merchant_id, quarter FROM ((TABLE ended EXCEPT TABLE kept_endings)
          UNION ALL (TABLE kept_endings EXCEPT TABLE ended)) e
      ), stale AS (
        SELECT k.merchant_id, unnest(k.open_quarters) AS quarter FROM marks k
        UNION SELECT o.merchant_id, ${quarterOf(sql`o.created_at`)} FROM marks k JOIN collection_orders o
          ON o.merchant_id = k.merchant_id AND o.changed_xact IS NOT NULL AND ${isNew(sql`o.changed_xact`)}
        UNION SELECT o.merchant_id, ${quarterOf(sql`o.created_at`)} FROM marks k JOIN payment_attempts a
          ON a.merchant_id = k.merchant_id AND a.changed_xact IS NOT NULL AND ${isNew(sql`a.changed_xact`)}
          JOIN collection_orders o ON o.merchant_id = a.merchant_id AND o.order_no = a.order_no
        UNION SELECT o.merchant_id, ${quarterOf(sql`o.created_at`)} FROM marks k JOIN checkout_openings v
          ON v.merchant_id = k.merchant_id AND v.changed_xact IS NOT NULL AND ${isNew(sql`v.changed_xact`)}
          JOIN collection_orders o ON o.merchant_id = v.merchant_id AND o.order_no = v.order_no
      )
      SELECT merchant_id::text AS owner, count(*)::int AS quarters, min(quarter) AS first
      FROM differing WHERE (merchant_id, quarter) NOT IN (SELECT merchant_id, quarter FROM stale)
      GROUP BY merchant_id ORDER BY 1 LIMIT ${limit}`,
  );
}
