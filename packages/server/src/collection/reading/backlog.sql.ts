/** Counts the orders that wait for a decision or for the sweep, for the administrators' alarms. */
import { type Queryable, sql } from '../../base/pg/index.ts';

/** Number of waiting orders of all merchants, and the deadline of the oldest. */
export interface Waiting {
  due: number;
  oldest_at: Date | null;
}

/** Maximum number of orders counted per merchant. A larger backlog needs no exact number. */
const mostCounted = 1_000;

const none: Waiting = { due: 0, oldest_at: null };

/** Counts the orders in review, at most 1000 per merchant. */
export async function selectReviewBacklog(db: Queryable): Promise<Waiting> {
  const [row] = await db.query<{ due: number; oldest_at: Date | null }>(
    sql`SELECT count(*)::int AS due, min(w.at) AS oldest_at FROM merchants m CROSS JOIN LATERAL (
        SELECT expires_at AS at FROM collection_orders
        WHERE merchant_id = m.merchant_id AND status = 'review' ORDER BY created_at LIMIT ${mostCounted}) w`,
  );
  return row ?? none;
}

/** Counts the pending orders whose deadline has passed, at most 1000 per merchant. */
export async function selectOverdueBacklog(db: Queryable, now: Date): Promise<Waiting> {
  const [row] = await db.query<{ due: number; oldest_at: Date | null }>(
    sql`SELECT count(*)::int AS due, min(w.at) AS oldest_at FROM merchants m CROSS JOIN LATERAL (
        SELECT expires_at AS at FROM collection_orders
        WHERE merchant_id = m.merchant_id AND status = 'pending' AND expires_at <= ${now}
        ORDER BY expires_at LIMIT ${mostCounted}) w`,
  );
  return row ?? none;
}
