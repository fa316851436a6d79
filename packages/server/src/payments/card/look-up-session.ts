/** Looks up the session of an attempt at the provider. Never call these functions inside a transaction. */
import type { DeclineReason } from '@paydesk/contract';
import { InvariantError } from '../../base/errors.ts';
import { type CardSession, type Lookup, type Channel, type PaidWith, tradeNo } from '../../channels/index.ts';
import type { Attempt, Observation, Seen } from '../attempts/index.ts';
import type { PaymentDeps } from '../engine/index.ts';
import { disagreement } from './compare-session.ts';

/**
 * Looks up the session of an attempt (D-103).
 *
 * @param close whether to close an open session and look it up again
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
 * Whether a session cannot be paid any more: it has expired, or its asynchronous payment has finally failed. Asks the
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

async function closeSession(
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

/** What a session says about its attempt. It is paid only if it agrees with what was requested. */
async function observeSession(
  deps: PaymentDeps,
  channel: Channel,
  attempt: Attempt,
  session: CardSession,
): Promise<Observation> {
  const why = disagreement(attempt, session);
  if (why !== null && !session.paid) return { kind: 'mismatch', session, why, paid_at: null };
  if (session.paid) {
    const payment = await readPayment(deps, channel, session);
    if (payment === null) return { kind: 'failed_lookup', why: 'the payment could not be read' };
    const { paid_at, paid_with } = payment;
    if (why !== null) return { kind: 'mismatch', session, why, paid_at };
    return { kind: 'paid', session, trade_no: tradeNo(session), occurred_at: paid_at, paid_with };
  }
  switch (session.status) {
    case 'open':
      return { kind: 'open', session };
    case 'expired':
      return { kind: 'closed', session, declined: await readDecline(deps, channel, session) };
    case 'complete':
      return observeAsyncPayment(deps, channel, session);
    case null:
      return { kind: 'failed_lookup', why: 'unknown session status' };
  }
}

/** The provider's time of payment (D-112), and what it was paid with; null if it cannot be read now. */
async function readPayment(
  deps: Pick<PaymentDeps, 'cards' | 'clock'>,
  channel: Channel,
  { payment_id }: CardSession,
): Promise<{ paid_at: Date; paid_with: PaidWith | null } | null> {
  if (payment_id === null) return { paid_at: deps.clock.now(), paid_with: null };
  const payment = await deps.cards.payment(channel, payment_id);
  if (payment.kind !== 'found') return null;
  return { paid_at: new Date(payment.value.paid_at * 1_000), paid_with: payment.value.paid_with };
}

/** The provider's time of payment (D-112); null if it cannot be read now. */
export const readPaidAt = async (
  deps: Pick<PaymentDeps, 'cards' | 'clock'>,
  channel: Channel,
  session: CardSession,
): Promise<Date | null> => (await readPayment(deps, channel, session))?.paid_at ?? null;

/** Why the last try on a closed session was declined; null if there was none, or the provider does not tell now. */
async function readDecline(
  { cards }: Pick<PaymentDeps, 'cards'>,
  channel: Channel,
  { payment_id }: CardSession,
): Promise<DeclineReason | null> {
  if (payment_id === null) return null;
  const payment = await cards.payment(channel, payment_id);
  return payment.kind === 'found' ? payment.value.declined : null;
}

/** A session that is complete but not paid: its asynchronous payment is under way or has failed (D-101, D-102). */
async function observeAsyncPayment(
  deps: PaymentDeps,
  channel: Channel,
  session: CardSession,
): Promise<Observation> {
  if (session.payment_id === null) return { kind: 'processing', session };
  const payment = await deps.cards.payment(channel, session.payment_id);
  if (payment.kind !== 'found') return { kind: 'failed_lookup', why: 'the payment could not be read' };
  if (payment.value.state === 'failed') {
    return { kind: 'failed', session, declined: payment.value.declined ?? 'declined' };
  }
  return { kind: 'processing', session, paid_with: payment.value.paid_with };
}
