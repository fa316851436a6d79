/** Looks up the session of an attempt at the provider. Never call these functions inside a transaction. */
import { InvariantError } from '../../base/errors.ts';
import type { CardSession, Lookup } from '../../channels/card/index.ts';
import type { Channel } from '../../channels/index.ts';
import type { Attempt, Seen } from '../attempts/index.ts';
import type { PaymentDeps } from '../engine/index.ts';
import { closeSession } from './close-session.ts';
import { observeAsyncPayment, observeSession } from './observe-session.ts';

/**
 * Looks up the session of an attempt (D-103).
 *
 * @param close whether to close an open session: see `closeSession`
 */
export async function lookUpSession(deps: PaymentDeps, attempt: Attempt, close: boolean): Promise<Seen> {
  const channel = await findChannel(deps, attempt);
  // The answer tells of this moment, even if this process stands still before it applies it.
  const looked_at = deps.clock.now();
  const found = await findSession(deps, channel, attempt);
  const asked = attempt.session_id === null ? 'search by reference' : 'look up the session';
  if (found.kind === 'failed') return { kind: 'failed_lookup', why: found.reason, asked };
  if (found.kind === 'none') return { kind: 'none', looked_at, asked };
  if (found.value.status === 'open' && !found.value.paid && close) {
    return { ...(await closeSession(deps, channel, attempt, found.value.id)), asked: 'close the session' };
  }
  return { ...(await observeSession(deps, channel, attempt, found.value)), asked };
}

/**
 * Looks up another session with the reference of an attempt. A payment through it is a mismatch, whatever its amount
 * (D-082, D-083). Null if nothing was paid through it.
 */
export async function lookUpOtherSession(
  deps: PaymentDeps,
  attempt: Attempt,
  session_id: string,
): Promise<Seen | null> {
  const channel = await findChannel(deps, attempt);
  const asked = 'look up another session';
  const found = await deps.cards.session(channel, session_id);
  if (found.kind === 'failed') return { kind: 'failed_lookup', why: found.reason, asked };
  if (found.kind === 'none' || !found.value.paid) return null;
  return { ...(await observeSession(deps, channel, attempt, found.value)), asked };
}

/**
 * Whether a session can no longer be paid: it has expired, or its asynchronous payment has finally failed. Asks the
 * provider if the session does not say so itself.
 */
export async function isSessionOver(
  deps: PaymentDeps,
  attempt: Attempt,
  session: CardSession,
): Promise<boolean> {
  if (session.paid) return false;
  if (session.status !== 'complete') return session.status === 'expired';
  return (await observeAsyncPayment(deps, await findChannel(deps, attempt), session)).kind === 'failed';
}

async function findChannel(deps: PaymentDeps, attempt: Attempt): Promise<Channel> {
  const channel = await deps.channels.find(attempt.payment_no);
  if (channel === null) throw new InvariantError('an attempt without channel');
  return channel;
}

/** Finds a session by its id, or by our reference among the sessions of the time (D-093, D-108). */
async function findSession(
  deps: PaymentDeps,
  channel: Channel,
  attempt: Attempt,
): Promise<Lookup<CardSession>> {
  if (attempt.session_id !== null) {
    const found = await deps.cards.session(channel, attempt.session_id);
    // The session existed, so a look-up that does not find it has failed. It proves nothing.
    return found.kind === 'none' ? { kind: 'failed', reason: 'session not found' } : found;
  }
  if (attempt.request === null) throw new InvariantError('a card attempt without request');
  const { created_from, expires_at } = attempt.request;
  return deps.cards.findSession(channel, attempt.attempt_id, created_from, expires_at);
}
