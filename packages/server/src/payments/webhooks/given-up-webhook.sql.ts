/** SQL of webhooks that were given up. */
import { type Queryable, type Row, type Write, sql } from '../../base/pg/index.ts';
import type { Waiting } from '../backlog/index.ts';

/** A webhook that was given up: its look-ups failed for more than a day and at least thirty times. */
export interface GivenUpWebhook extends Row {
  payment_no: string;
  provider_event_id: string;
  type: string;
  received_at: Date;
  tries: number;
  /** Result of the last try. */
  outcome: string | null;
  given_up_at: Date;
}

/** Cursor: the sort key of the last item of a page. */
export type GivenUpMark = Pick<GivenUpWebhook, 'given_up_at' | 'payment_no' | 'provider_event_id'>;

/** Given-up webhooks, latest first. */
export function selectGivenUpWebhooks(
  db: Queryable,
  before: GivenUpMark | null,
  limit: number,
): Promise<GivenUpWebhook[]> {
  const older =
    before === null
      ? sql``
      : sql`AND (given_up_at, payment_no, provider_event_id)
          < (${before.given_up_at}, ${before.payment_no}, ${before.provider_event_id})`;
  return db.query<GivenUpWebhook>(sql`
    SELECT payment_no, provider_event_id, type, received_at, tries, outcome, given_up_at FROM card_webhooks
    WHERE given_up_at IS NOT NULL ${older}
    ORDER BY given_up_at DESC, payment_no DESC, provider_event_id DESC LIMIT ${limit}`);
}

export async function countGivenUpWebhooks(db: Queryable): Promise<Waiting> {
  const [row] = await db.query<Waiting>(
    sql`SELECT count(*)::int AS due, min(given_up_at) AS oldest_at FROM card_webhooks
      WHERE given_up_at IS NOT NULL`,
  );
  return row ?? { due: 0, oldest_at: null };
}

/** Locks a webhook. Returns whether it was given up; undefined if it does not exist. */
export async function lockWebhook(
  tx: Queryable,
  { payment_no, provider_event_id }: Pick<GivenUpWebhook, 'payment_no' | 'provider_event_id'>,
): Promise<boolean | undefined> {
  const [row] = await tx.query<{ given_up: boolean }>(sql`
    SELECT given_up_at IS NOT NULL AS given_up FROM card_webhooks
    WHERE payment_no = ${payment_no} AND provider_event_id = ${provider_event_id} FOR UPDATE`);
  return row?.given_up;
}

/** Makes a given-up webhook due again. */
export const requeueWebhook = (
  { payment_no, provider_event_id }: Pick<GivenUpWebhook, 'payment_no' | 'provider_event_id'>,
  now: Date,
): Write => ({
  statement: sql`UPDATE card_webhooks SET due_at = ${now}, given_up_at = NULL
    WHERE payment_no = ${payment_no} AND provider_event_id = ${provider_event_id} AND given_up_at IS NOT NULL`,
  rows: 1,
});
