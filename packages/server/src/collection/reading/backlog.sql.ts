/** Counts the orders that wait for a decision or for the sweep, for the administrators' alarms. */
import { days, later } from '../../base/time/clock.ts';
import { type Queryable, sql } from '../../base/pg/index.ts';

/** Number of waiting orders of all merchants, and the deadline of the oldest. */
export interface Waiting {
  due: number;
  oldest_at: Date | null;
}

/** Maximum number of orders counted per merchant. A larger backlog needs no exact number. */
const mostCounted = 1_000;

const none: Waiting = { due: 0, oldest_at: null };

/** The slowest asynchronous method takes twenty days. */
const patience_ms = days(30);

/**
 * Counts the orders in review, at most 1000 per merchant. An asynchronous payment takes days, so an order whose payment
 * is being processed counts only a month after its deadline (D-262).
 */
export async function selectReviewBacklog(db: Queryable, now: Date): Promise<Waiting> {
  const [row] = await db.query<{ due: number; oldest_at: Date | null }>(
    sql`SELECT count(*)::int AS due, min(w.at) AS oldest_at FROM merchants m CROSS JOIN LATERAL (
        SELECT o.expires_at AS at FROM collection_orders o
        WHERE o.merchant_id = m.merchant_id AND o.status = 'review' AND (o.expires_at <= ${later(now, -patience_ms)}
          OR NOT EXISTS (SELECT 1 FROM payment_attempts a
            WHERE a.merchant_id = m.merchant_id AND a.order_no = o.order_no AND a.state = 'processing'))
        ORDER BY o.created_at LIMIT ${mostCounted}) w`,
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
