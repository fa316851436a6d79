import type { Tx } from '../../base/pg/index.ts';
import { type GivenUpWebhook, lockWebhook, requeueWebhook } from './given-up-webhook.sql.ts';

/**
 * Makes a given-up webhook due again. If its next try fails, it is given up again. A webhook that is done or due stays
 * unchanged, so a second click does no harm.
 *
 * @returns `unknown` if the webhook does not exist
 */
export async function replayWebhook(
  tx: Tx,
  webhook: Pick<GivenUpWebhook, 'payment_no' | 'provider_event_id'>,
  now: Date,
): Promise<'requeued' | 'unchanged' | 'unknown'> {
  const given_up = await lockWebhook(tx, webhook);
  if (given_up === undefined) return 'unknown';
  if (!given_up) return 'unchanged';
  await tx.write([requeueWebhook(webhook, now)]);
  return 'requeued';
}
