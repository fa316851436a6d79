import { type Queryable, sql } from '../../base/pg/index.ts';

/** How many orders of all merchants wait, and since when the oldest does. */
export interface Backlog {
  due: number;
  oldest_at: Date | null;
}

/** Orders of one merchant that are counted at most: a backlog needs no exact number beyond it. */
const mostCounted = 1_000;

const none: Backlog = { due: 0, oldest_at: null };

/** The orders in review, at most 1000 of each merchant; the oldest by its deadline. */
export async function selectReviewBacklog(db: Queryable): Promise<Backlog> {
  const [row] = await db.query<{ due: number; oldest_at: Date | null }>(
    sql`SELECT count(*)::int AS due, min(w.at) AS oldest_at FROM merchants m CROSS JOIN LATERAL (
        SELECT expires_at AS at FROM collection_orders
        WHERE merchant_id = m.merchant_id AND status = 'review' ORDER BY created_at LIMIT ${mostCounted}) w`,
  );
  return row ?? none;
}

/** The pending orders whose deadline has passed, at most 1000 of each merchant; the oldest by its deadline. */
export async function selectOverdueBacklog(db: Queryable, now: Date): Promise<Backlog> {
  const [row] = await db.query<{ due: number; oldest_at: Date | null }>(
    sql`SELECT count(*)::int AS due, min(w.at) AS oldest_at FROM merchants m CROSS JOIN LATERAL (
        SELECT expires_at AS at FROM collection_orders
        WHERE merchant_id = m.merchant_id AND status = 'pending' AND expires_at <= ${now}
        ORDER BY expires_at LIMIT ${mostCounted}) w`,
  );
  return row ?? none;
}
