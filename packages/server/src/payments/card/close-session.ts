import type { Channel } from '../../channels/index.ts';
import type { Attempt, Observation } from '../attempts/index.ts';
import type { PaymentDeps } from '../engine/index.ts';
import { observeSession } from './observe-session.ts';

/**
 * Closes an unpaid session at the provider, and looks it up again: if it was paid before it could be
 * closed, this payment counts. A session that is not closed after that is looked up again later. Never
 * call this inside a transaction.
 */
export async function closeSession(
  deps: PaymentDeps,
  channel: Channel,
  attempt: Attempt,
  session_id: string,
): Promise<Observation> {
  const closing = await deps.cards.expireSession(channel, session_id);
  if (closing === 'failed') return { kind: 'failed_lookup', why: 'closing the session failed' };
  const again = await deps.cards.session(channel, session_id);
  if (again.kind !== 'found') {
    return { kind: 'failed_lookup', why: 'the session could not be read after closing' };
  }
  return again.value.status === 'open' && !again.value.paid
    ? { kind: 'failed_lookup', why: 'the session is still open' }
    : observeSession(deps, channel, attempt, again.value);
}
