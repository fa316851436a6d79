/** SQL of holds on the proceeds of orders. */
import { dayIn, type Queryable, type Tx, type Row, type Write, sql } from '../../base/pg/index.ts';

export function insertHold(merchant_id: string, order_no: string, release_at: Date): Write {
  return {
    statement: sql`INSERT INTO payment_holds (merchant_id, order_no, release_at, released_at)
      VALUES (${merchant_id}::uuid, ${order_no}, ${release_at}::timestamptz, NULL)`,
    rows: 'all',
  };
}

/** Ends a hold. Touches no row if it has already ended. */
export function endHold(merchant_id: string, order_no: string, released_at: Date): Write {
  return {
    statement: sql`UPDATE payment_holds SET released_at = ${released_at}::timestamptz, frozen = false
      WHERE merchant_id = ${merchant_id}::uuid AND order_no = ${order_no}
        AND released_at IS NULL /* guard: hold-guarded-by-its-end */`,
    rows: 1,
  };
}

/** Ends the holds of several orders of one merchant. Touches no row of a hold that has already ended. */
export function endHolds(merchant_id: string, order_nos: readonly string[], released_at: Date): Write {
  return {
    statement: sql`UPDATE payment_holds SET released_at = ${released_at}::timestamptz, frozen = false
      WHERE merchant_id = ${merchant_id}::uuid AND order_no = ANY(${order_nos}::text[])
        AND released_at IS NULL /* guard: hold-guarded-by-its-end */`,
    rows: order_nos.length,
  };
}

/** Stops a running hold, or lets it continue. The worker does not release a stopped hold. */
export function setHoldFrozen(merchant_id: string, order_no: string, frozen: boolean): Write {
  return {
    statement: sql`UPDATE payment_holds SET frozen = ${frozen}::boolean
      WHERE merchant_id = ${merchant_id}::uuid AND order_no = ${order_no} AND released_at IS NULL`,
    rows: 1,
  };
}

/**
 * Which of some orders have a hold that is due, still running and not stopped by a complaint. Call under the locks of
 * the orders.
 */
export async function selectDueOf(
  tx: Tx,
  merchant_id: string,
  order_nos: readonly string[],
  now: Date,
): Promise<Set<string>> {
  const rows = await tx.query<{ order_no: string }>(
    sql`SELECT order_no FROM payment_holds WHERE merchant_id = ${merchant_id} AND order_no = ANY(${order_nos}::text[])
      AND released_at IS NULL /* guard: released-once */
        AND NOT frozen /* guard: nothing-frozen-released */
        AND release_at <= ${now} /* guard: released-when-it-is-due */`,
  );
  return new Set(rows.map((row) => row.order_no));
}

/** When the hold on an order's proceeds is due to end, and when it ended. */
export interface Hold extends Row {
  release_at: Date;
  released_at: Date | null;
}

/** The hold on an order's proceeds; null if there never was one. */
export async function selectHold(db: Queryable, merchant_id: string, order_no: string): Promise<Hold | null> {
  const [row] = await db.query<Hold>(
    sql`SELECT release_at, released_at FROM payment_holds
      WHERE merchant_id = ${merchant_id} AND order_no = ${order_no}`,
  );
  return row ?? null;
}

/** Merchants that have a due hold. */
export async function selectMerchantsWithDueHolds(
  db: Queryable,
  now: Date,
  limit: number,
): Promise<string[]> {
  const rows = await db.query<{ merchant_id: string }>(
    sql`SELECT m.merchant_id FROM merchants m CROSS JOIN LATERAL (
        SELECT 1 FROM payment_holds h
        WHERE h.merchant_id = m.merchant_id AND h.released_at IS NULL AND NOT h.frozen
        AND h.release_at <= ${now} /* guard: released-when-it-is-due */
        LIMIT 1) due
      LIMIT ${limit}`,
  );
  return rows.map((row) => row.merchant_id);
}

/** A merchant's orders with a due hold, oldest first. */
export async function selectDueHolds(
  db: Queryable,
  merchant_id: string,
  now: Date,
  limit: number,
): Promise<string[]> {
  const rows = await db.query<{ order_no: string } & Row>(
    sql`SELECT order_no FROM payment_holds
      WHERE merchant_id = ${merchant_id} AND released_at IS NULL AND NOT frozen
        AND release_at <= ${now} /* guard: released-when-it-is-due */
      ORDER BY release_at, order_no LIMIT ${limit}`,
  );
  return rows.map((row) => row.order_no);
}

/** The sum of releases on one day. */
export interface DayOfReleases extends Row {
  /** Such as 2026-03-02. */
  day: string;
  orders: bigint;
  amount_ptk: bigint;
}

/** A merchant's funds under hold that no complaint stops, by the day of their release in a time zone. */
export async function selectReleases(
  db: Queryable,
  merchant_id: string,
  time_zone: string,
): Promise<DayOfReleases[]> {
  const [ends] = await db.query<{ since: Date | null; until: Date | null }>(
    sql`SELECT min(release_at) AS since, max(release_at) AS until FROM payment_holds
      WHERE merchant_id = ${merchant_id} AND released_at IS NULL AND NOT frozen`,
  );
  if (!ends?.since || !ends.until) return [];
  const day = dayIn(sql`h.release_at`, { since: ends.since, until: ends.until, time_zone });
  return db.query<DayOfReleases>(
    sql`SELECT ${day} AS day, count(*) AS orders,
        sum(b.balance) AS amount_ptk
      FROM payment_holds h JOIN ledger_balances b
        ON b.merchant_id = h.merchant_id AND b.account = 'm:held' AND b.ref = h.order_no
      WHERE h.merchant_id = ${merchant_id} AND h.released_at IS NULL AND NOT h.frozen AND b.balance > 0
        AND h.release_at BETWEEN ${ends.since} AND ${ends.until}
      GROUP BY 1 ORDER BY 1`,
  );
}
