/** The SQL of how far the sums of a merchant's progress go, and of which of them count for nothing. */
import { type Queryable, type Row, type Sql, sql, type Tx } from '../../base/pg/index.ts';
import { isNewHere } from '../../ledger/verification/index.ts';
import { quarterOf } from './sums.sql.ts';

/** How far the sums of a merchant go, and the snapshot that they were made in. */
export interface ProgressMark {
  kept_until: Date;
  snapshot: string;
  /** The PostgreSQL server that counts its transactions. */
  counted_by: string;
}

/**
 * One row: the mark of a merchant's sums, or one of no sums. A mark of another server does not count, as that counts other
 * transactions; nor does one of this server before it went back to an earlier state.
 */
export const markOf = (merchant_id: Sql): Sql => sql`(
  SELECT coalesce(p.kept_until, '-infinity') AS kept_until, p.snapshot::pg_snapshot AS snapshot, p.open_quarters
  FROM (VALUES (1)) one (n) LEFT JOIN progress_sum_marks p ON p.merchant_id = ${merchant_id}
    AND p.counted_by = (SELECT system_identifier::text FROM pg_control_system())
    AND pg_snapshot_xmax(p.snapshot::pg_snapshot) <= pg_snapshot_xmax(pg_current_snapshot()))`;

const isNew = (xact: Sql): Sql => isNewHere(sql`k.snapshot`, xact);

/**
 * The quarters whose sums count for nothing, by the mark `k`: an attempt was under way when they were made, or an order, an
 * attempt or an opening has left the number of its transaction since.
 */
export const staleQuarters = (id: Sql): Sql => sql`
  SELECT unnest(k.open_quarters) AS quarter
  UNION SELECT ${quarterOf(sql`o.created_at`)} FROM collection_orders o
  WHERE o.merchant_id = ${id} AND o.changed_xact IS NOT NULL AND ${isNew(sql`o.changed_xact`)}
    AND o.created_at < k.kept_until
  UNION SELECT ${quarterOf(sql`o.created_at`)} FROM payment_attempts a
    JOIN collection_orders o ON o.merchant_id = ${id} AND o.order_no = a.order_no
  WHERE a.merchant_id = ${id} AND a.changed_xact IS NOT NULL AND ${isNew(sql`a.changed_xact`)}
    AND o.created_at < k.kept_until
  UNION SELECT ${quarterOf(sql`o.created_at`)} FROM checkout_openings v
    JOIN collection_orders o ON o.merchant_id = ${id} AND o.order_no = v.order_no
  WHERE v.merchant_id = ${id} AND v.changed_xact IS NOT NULL AND ${isNew(sql`v.changed_xact`)}
    AND o.created_at < k.kept_until`;

/** What a worker has to make of a merchant's sums. */
export interface ProgressWork {
  /** Null where no sums count. */
  kept_until: Date | null;
  /** The first first. */
  stale: Date[];
  /** Of how many of them an attempt was under way. */
  open: number;
}

/** Locks the mark of a merchant's sums, and says what they lack. */
export async function lockProgress(tx: Tx, merchant_id: string): Promise<ProgressWork> {
  await tx.query(sql`SELECT 1 AS one FROM progress_sum_marks WHERE merchant_id = ${merchant_id} FOR UPDATE`);
  const id = sql`${merchant_id}::uuid`;
  const [row] = await tx.query<ProgressWork & Row>(
    sql`SELECT nullif(k.kept_until, '-infinity') AS kept_until, ARRAY(${staleQuarters(id)} ORDER BY 1) AS stale,
        coalesce(cardinality(k.open_quarters), 0) AS open
      FROM ${markOf(id)} k`,
  );
  return row ?? { kept_until: null, stale: [], open: 0 };
}

/** Writes how far the sums go, and of which quarters an attempt is under way: a worker looks at few of them. */
export async function updateProgressMark(tx: Tx, merchant_id: string, mark: ProgressMark): Promise<void> {
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

/** The merchants whose sums can go on: up to a time, or from the beginning. */
export async function selectMerchantsToSumProgress(db: Queryable, until: Date): Promise<string[]> {
  const rows = await db.query<{ merchant_id: string }>(
    sql`SELECT m.merchant_id FROM merchants m CROSS JOIN LATERAL (
        SELECT 1 FROM collection_orders o WHERE o.merchant_id = m.merchant_id LIMIT 1) o
        CROSS JOIN LATERAL ${markOf(sql`m.merchant_id`)} k
      WHERE k.kept_until < ${until}`,
  );
  return rows.map(({ merchant_id }) => merchant_id);
}

/** Forgets how far a merchant's sums go: a worker makes them anew. */
export async function deleteProgressMark(db: Queryable, merchant_id: string): Promise<void> {
  await db.query(sql`DELETE FROM progress_sum_marks WHERE merchant_id = ${merchant_id}`);
}
