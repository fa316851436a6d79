/** Replays that people ask for in a console. Each is in the audit log (D-194). */
import type { ReplayFailed } from '@paydesk/contract';
import { type Act, type AuditDeps, runAudited } from '../../base/audit/index.ts';
import { AppError } from '../../base/errors.ts';
import { merchantNo } from '../../base/ids.ts';
import { readInstant } from '../../base/input/instant.ts';
import { cursorOf, readCursor } from '../../base/input/list-page.ts';
import { isNotificationId } from '../events/index.ts';
import { replay, replayFailed } from './replay.ts';

type Deps = Omit<AuditDeps, 'cache'>;

/**
 * Replays one event of a merchant as `replay` does.
 *
 * @throws AppError `not_found`
 */
export async function replayAudited(
  deps: Deps,
  actor: Act['actor'],
  merchant_id: string,
  event_id: string,
): Promise<void> {
  await runAudited(deps, { actor, action: 'notification.retry' }, async (tx) => {
    const outcome = await replay(tx, { merchant_id, order_no: null, event_id }, deps.clock.now());
    if (outcome === 'unknown') throw new AppError('not_found');
    if (outcome === 'unchanged') return null;
    const target = `notification:${event_id}`;
    return { target, before: { delivery_status: 'failed' }, after: { delivery_status: 'pending' } };
  });
}

/**
 * Replays a merchant's events as `replayFailed` does.
 *
 * @returns the answer: the number of events, and the cursor of the next call where there may be more
 * @throws AppError `invalid_request` with `field`
 */
export async function replayFailedAudited(
  deps: Deps,
  actor: Act['actor'],
  merchant_id: string,
  { since, cursor }: ReplayFailed,
): Promise<{ requeued: number; next_cursor?: string }> {
  const span = { since: readInstant('since', since), after: readCursor(cursor, isNotificationId) };
  const act = { actor, action: 'notification.retry-failed' };
  const { requeued, last } = await runAudited(deps, act, async (tx) => {
    const replayed = await replayFailed(tx, { merchant_id, ...span }, deps.clock.now());
    const after = { since, requeued: replayed.requeued };
    return { target: `merchant:${merchantNo(merchant_id)}`, before: null, after, ...replayed };
  });
  return { requeued, ...(last === null ? {} : { next_cursor: cursorOf(last) }) };
}
