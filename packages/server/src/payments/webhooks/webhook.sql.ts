/** SQL of stored webhooks. */
import { claimInTurn, type Queryable, type Tx, type Row, sql } from '../../base/pg/index.ts';
import type { Claim } from '../attempts/index.ts';

export interface StoredWebhook {
  payment_no: string;
  provider_event_id: string;
  type: string;
  body_box: Buffer;
  received_at: Date;
  tries: number;
  /** The span of the request that brought it; null where it had none. */
  traceparent: string | null;
}

/** Stores a webhook once (R-228, D-106). Returns whether it was new. */
export async function insertWebhook(db: Queryable, w: StoredWebhook, due_at: Date): Promise<boolean> {
  const rows = await db.query(
    sql`INSERT INTO card_webhooks (payment_no, provider_event_id, type, body_box, received_at, due_at, tries, traceparent)
      VALUES (${w.payment_no}, ${w.provider_event_id}, ${w.type}, ${w.body_box}, ${w.received_at}, ${due_at}, 0,
        ${w.traceparent})
      ON CONFLICT (payment_no, provider_event_id) DO NOTHING /* guard: webhook-stored-once */
      RETURNING 1`,
  );
  return rows.length === 1;
}

/** Claims webhooks that are due. Every node of a distributed database chooses by itself, so the order has no ties (D-622). */
export function claimDueWebhooks(tx: Tx, { now, until, except, limit }: Claim): Promise<StoredWebhook[]> {
  return claimInTurn<StoredWebhook & Row>(
    tx,
    sql`card_webhooks`,
    sql`WITH due AS (
        SELECT payment_no, provider_event_id FROM card_webhooks
        WHERE due_at <= ${now} AND payment_no <> ALL (${except}::text[])
        ORDER BY due_at, payment_no, provider_event_id LIMIT ${limit} FOR UPDATE SKIP LOCKED)
      UPDATE card_webhooks w SET due_at = ${until}, tries = w.tries + 1 FROM due
      WHERE w.payment_no = due.payment_no AND w.provider_event_id = due.provider_event_id
      RETURNING w.payment_no, w.provider_event_id, w.type, w.body_box, w.received_at, w.tries,
        w.traceparent`,
  );
}

/** Ends a webhook, postpones it until `due_at`, or gives it up. */
export async function updateWebhook(
  db: Queryable,
  w: Pick<StoredWebhook, 'payment_no' | 'provider_event_id'>,
  outcome: string,
  { due_at, given_up_at }: { due_at: Date | null; given_up_at: Date | null },
): Promise<void> {
  await db.query(
    sql`UPDATE card_webhooks SET outcome = ${outcome}, due_at = ${due_at}, given_up_at = ${given_up_at}
      WHERE payment_no = ${w.payment_no} AND provider_event_id = ${w.provider_event_id}`,
  );
}

/** Removes processed webhooks that were received before `before`. */
export async function deleteOldWebhooks(db: Queryable, before: Date, limit: number): Promise<number> {
  const gone = await db.query(
    sql`DELETE FROM card_webhooks WHERE (payment_no, provider_event_id) IN (
        SELECT payment_no, provider_event_id FROM card_webhooks
        WHERE due_at IS NULL AND received_at < ${before} ORDER BY received_at LIMIT ${limit})
      RETURNING 1 AS gone`,
  );
  return gone.length;
}

/** The channels, of these, from which a webhook with a valid signature has come. */
export async function selectHeardChannels(db: Queryable, payment_nos: readonly string[]): Promise<string[]> {
  const rows = await db.query<{ payment_no: string }>(
    sql`SELECT c.payment_no FROM unnest(${payment_nos}::text[]) AS c(payment_no)
      WHERE EXISTS (SELECT 1 FROM card_webhooks w WHERE w.payment_no = c.payment_no)`,
  );
  return rows.map(({ payment_no }) => payment_no);
}
