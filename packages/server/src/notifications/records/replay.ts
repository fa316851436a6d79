import type { Tx } from '../../base/pg/index.ts';
import { ulidBefore } from '../../base/ids.ts';
import { type EventToReplay, lockNotification, requeueFailed, requeueNotification } from './replay.sql.ts';

/**
 * Asks for one more attempt of an event that was given up: same bytes, same address, same key. An event
 * that is delivered or still pending is left as it is, so a second click is harmless (D-145).
 *
 * @returns `unknown` where there is no such event (D-146)
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

/** Replays of one call: enough for an outage, and one short transaction. */
export const mostReplays = 1_000;

/**
 * Asks for one more attempt of each event that was given up and is not older than `since`, oldest first, at most
 * `mostReplays`.
 *
 * @param after the event with which the call before ended, or null: repeating a call then never meets those again that
 *   have failed anew
 * @returns how many, and after which event to go on where there may be more
 */
export async function replayFailed(
  tx: Tx,
  { merchant_id, since, after }: { merchant_id: string; since: Date; after: string | null },
  now: Date,
): Promise<{ requeued: number; last: string | null }> {
  const oldest = `ne_${ulidBefore(since)}`;
  const from = after === null || after < oldest ? oldest : after;
  const requeued = await requeueFailed(tx, { merchant_id, after: from, limit: mostReplays }, now);
  const last = requeued.length < mostReplays ? null : (requeued.at(-1) ?? null);
  return { requeued: requeued.length, last };
}
