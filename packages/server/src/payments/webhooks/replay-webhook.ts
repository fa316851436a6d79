import type { Tx } from '../../base/pg/index.ts';
import { type GivenUpWebhook, lockWebhook, requeueWebhook } from './given-up-webhook.sql.ts';

/**
 * Has a webhook that was given up followed once more; where that fails, it is given up again. One that is done or
 * under way is left as it is, so a second click is harmless.
 *
 * @returns `unknown` where there is none such
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
