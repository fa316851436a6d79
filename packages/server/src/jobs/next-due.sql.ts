/**
 * Asks when the next work is due, in two statements for all kinds. A kind of work that a worker polls for has a line here:
 * without one it would be found late while the platform is at rest (docs/adr/0054-a-platform-at-rest.md).
 */
import { type Queryable, type Row, sql } from '../base/pg/index.ts';

interface NextDue extends Row {
  at: Date | null;
}

/**
 * When the first work of any merchant is due: one index look-up for each merchant and kind. Null if nothing waits. Each
 * part names the merchant first, so that a distributed database asks each shard once and not once for each kind.
 */
export async function selectNextOfMerchants(db: Queryable): Promise<Date | null> {
  const [row] = await db.query<NextDue>(sql`
    SELECT min(due.at) AS at FROM (
      SELECT m.merchant_id, w.at FROM merchants m CROSS JOIN LATERAL (
        SELECT next_attempt_at AS at FROM notifications
        WHERE merchant_id = m.merchant_id AND delivery_status = 'pending' ORDER BY next_attempt_at LIMIT 1) w
      UNION ALL
      SELECT m.merchant_id, w.at FROM merchants m CROSS JOIN LATERAL (
        SELECT check_at AS at FROM payment_attempts
        WHERE merchant_id = m.merchant_id AND check_at IS NOT NULL ORDER BY check_at LIMIT 1) w
      UNION ALL
      SELECT m.merchant_id, w.at FROM merchants m CROSS JOIN LATERAL (
        SELECT release_at AS at FROM payment_holds
        WHERE merchant_id = m.merchant_id AND released_at IS NULL AND NOT frozen ORDER BY release_at LIMIT 1) w
      UNION ALL
      SELECT m.merchant_id, w.at FROM merchants m CROSS JOIN LATERAL (
        SELECT check_at AS at FROM payment_refunds
        WHERE merchant_id = m.merchant_id AND check_at IS NOT NULL ORDER BY check_at LIMIT 1) w
      UNION ALL
      SELECT m.merchant_id, w.at FROM merchants m CROSS JOIN LATERAL (
        SELECT check_at AS at FROM payment_complaints
        WHERE merchant_id = m.merchant_id AND check_at IS NOT NULL ORDER BY check_at LIMIT 1) w
      UNION ALL
      SELECT merchant_id, check_at AS at FROM dispute_evidence WHERE check_at IS NOT NULL
      UNION ALL
      SELECT m.merchant_id, w.at FROM merchants m CROSS JOIN LATERAL (
        SELECT expires_at AS at FROM collection_orders
        WHERE merchant_id = m.merchant_id AND status = 'pending' ORDER BY expires_at LIMIT 1) w
      UNION ALL
      SELECT m.merchant_id, w.at FROM merchants m CROSS JOIN LATERAL (
        SELECT expires_at AS at FROM catalog_orders
        WHERE merchant_id = m.merchant_id AND state = 'pending' ORDER BY expires_at LIMIT 1) w
      UNION ALL
      SELECT m.merchant_id, w.at FROM merchants m CROSS JOIN LATERAL (
        SELECT fulfil_at AS at FROM catalog_orders
        WHERE merchant_id = m.merchant_id AND fulfil_at IS NOT NULL ORDER BY fulfil_at LIMIT 1) w
      UNION ALL
      SELECT merchant_id, check_at AS at FROM payment_cases WHERE check_at IS NOT NULL
      UNION ALL
      SELECT merchant_id, due_at AS at FROM merchant_logos WHERE due_at IS NOT NULL
    ) due`);
  return row?.at ?? null;
}

/** The same for tables that every node has. */
export async function selectNextOfPlatform(db: Queryable, mails: boolean): Promise<Date | null> {
  const mailed = sql`
    UNION ALL SELECT min(due_at) FROM sign_up_requests WHERE due_at IS NOT NULL
    UNION ALL SELECT min(due_at) FROM password_reset_requests
    UNION ALL SELECT min(due_at) FROM account_notices
    UNION ALL SELECT min(due_at) FROM buyer_mails WHERE due_at IS NOT NULL
    UNION ALL SELECT min(due_at) FROM merchant_invitations WHERE due_at IS NOT NULL AND due_at < expires_at`;
  const [row] = await db.query<NextDue>(sql`
    SELECT min(at) AS at FROM (
      SELECT min(due_at) AS at FROM card_webhooks WHERE due_at IS NOT NULL
      UNION ALL SELECT min(next_at) FROM statement_exports WHERE next_at IS NOT NULL
      UNION ALL SELECT min(due_at) FROM statement_deliveries WHERE due_at IS NOT NULL
      ${mails ? mailed : sql``}
    ) due`);
  return row?.at ?? null;
}

/** The number of shards of a distributed database: each is asked. 1 without the engine. */
export async function countShards(db: Queryable): Promise<number> {
  if (db.isDistributed !== true) return 1;
  const [row] = await db.query<{ shards: number }>(
    sql`SELECT count(*)::int AS shards FROM pg_dist_shard WHERE logicalrelid = 'merchants'::regclass`,
  );
  return Math.max(1, row?.shards ?? 1);
}
