/** Counts due notifications. */
import { type Queryable, type Row, type Sql, sql } from '../../base/pg/index.ts';
import { type Instant, isDue } from '../delivery/index.ts';

/** Merchants with due notifications: how many, counted up to `most` for each, and the oldest due time. */
const backlog = (at: Instant, most: number): Sql => sql`
    SELECT m.merchant_id, m.name, counted.due, counted.oldest_at FROM merchants m
    CROSS JOIN LATERAL (
      SELECT count(*)::int AS due, min(first.next_attempt_at) AS oldest_at FROM (
        SELECT n.next_attempt_at FROM notifications n WHERE n.merchant_id = m.merchant_id AND ${isDue(at)}
        ORDER BY n.next_attempt_at LIMIT ${most}
      ) first
    ) counted
    WHERE counted.due > 0`;

export async function selectTotalBacklog(
  db: Queryable,
  at: Instant,
  most: number,
): Promise<{ due: number; merchants: number; oldest_at: Date | null }> {
  const [row] = await db.query<{ due: number; merchants: number; oldest_at: Date | null }>(sql`
    SELECT coalesce(sum(b.due), 0)::int AS due, count(*)::int AS merchants, min(b.oldest_at) AS oldest_at
    FROM (${backlog(at, most)}) b`);
  return row ?? { due: 0, merchants: 0, oldest_at: null };
}

export interface MerchantBacklog extends Row {
  merchant_id: string;
  name: string;
  due: number;
  oldest_at: Date;
}

/** The merchants with due notifications, the longest overdue first. */
export function selectBacklog(
  db: Queryable,
  at: Instant,
  { most, limit }: { most: number; limit: number },
): Promise<MerchantBacklog[]> {
  return db.query<MerchantBacklog>(sql`${backlog(at, most)} ORDER BY counted.oldest_at LIMIT ${limit}`);
}
