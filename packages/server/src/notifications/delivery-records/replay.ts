/** Replays notifications that were given up, for the API and the console. */
import type { Tx } from '../../base/pg/index.ts';
import { ulidBefore } from '../../base/ids.ts';
import { type EventToReplay, lockNotification, requeueFailed, requeueNotification } from './replay.sql.ts';

/**
 * Requests exactly one more attempt for an event that was given up: same bytes, address and key (R-283, R-288,
 * D-144). A delivered or pending event stays as it is, so a repeated call does no harm (R-284, D-145).
 *
 * @returns `unknown` where the order and merchant have no such event (R-287, D-146, D-195)
 */
export async function replay(
  tx: Tx,
  event: EventToReplay,
  now: Date,
): Promise<'requeued' | 'unchanged' | 'unknown'> {
  const delivery_status = await lockNotification(tx, event);
  if (delivery_status === undefined) return 'unknown';
  if (delivery_status !== 'failed') return 'unchanged';
  await tx.write([{ statement: requeueNotification(event, now), rows: 1 }]);
  return 'requeued';
}

/** Maximum number of events in one call, so that the transaction is short. */
const maxReplays = 1_000;

/**
 * Requests one more attempt for each event that was given up and is not older than `since`, oldest first, at most
 * `maxReplays`.
 *
 * @param after the `last` of the previous call, or null. With it, repeated calls do not requeue events that have failed
 *   again
 * @returns the number of requeued events, and the last of them where there may be more; else null
 */
export async function replayFailed(
  tx: Tx,
  { merchant_id, since, after }: { merchant_id: string; since: Date; after: string | null },
  now: Date,
): Promise<{ requeued: number; last: string | null }> {
  const oldest = `ne_${ulidBefore(since)}`;
  const from = after === null || after < oldest ? oldest : after;
  const requeued = await requeueFailed(tx, { merchant_id, after: from, limit: maxReplays }, now);
  const last = requeued.length < maxReplays ? null : (requeued.at(-1) ?? null);
  return { requeued: requeued.length, last };
}
