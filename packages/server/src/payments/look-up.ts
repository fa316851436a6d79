import { hours } from '../base/clock.ts';
import { InvariantError } from '../base/errors.ts';
import type { CardSession, Lookup } from '../channels/card.ts';
import type { Channel } from '../channels/channel.ts';
import type { Attempt, Observation } from './attempt.ts';
import { disagreement } from './card-session.ts';
import type { PaymentDeps } from './deps.ts';

/**
 * Looks an attempt up at the provider and says what is true there (D-103). With `close`, an open session is asked
 * to close and then looked at again. Never inside a transaction.
 */
export async function lookUp(deps: PaymentDeps, attempt: Attempt, close: boolean): Promise<Observation> {
  const channel = await deps.channels.find(attempt.payment_no);
  if (channel === null) throw new InvariantError('an attempt without channel');
  const found = await sessionOf(deps, channel, attempt);
  if (found.kind === 'failed') return { kind: 'failed_lookup', why: found.reason };
  if (found.kind === 'none') return { kind: 'none' };
  const seen = await judge(deps, channel, attempt, found.value);
  if (seen.kind !== 'open' || !close) return seen;

  const closing = await deps.cards.expireSession(channel, found.value.id);
  if (closing === 'failed') return { kind: 'failed_lookup', why: 'closing the session failed' };
  const again = await deps.cards.session(channel, found.value.id);
  if (again.kind !== 'found')
    return { kind: 'failed_lookup', why: 'the session could not be read after closing' };
  const last = await judge(deps, channel, attempt, again.value);
  return last.kind === 'open' ? { kind: 'failed_lookup', why: 'the session is still open' } : last;
}

/** By its id where that is known, else by our reference among the sessions of the time (D-093, D-108). */
async function sessionOf(
  deps: PaymentDeps,
  channel: Channel,
  attempt: Attempt,
): Promise<Lookup<CardSession>> {
  if (attempt.session_id !== null) {
    const found = await deps.cards.session(channel, attempt.session_id);
    // A session that was there once and is not found is a fault of the look-up, never a proof.
    return found.kind === 'none' ? { kind: 'failed', reason: 'session not found' } : found;
  }
  const expires_at = attempt.request?.expires_at;
  if (expires_at === undefined) throw new InvariantError('a card attempt without request');
  // The session was created at most its longest life before it expires; an hour more allows for clocks.
  const longest_s = hours(3) / 1_000;
  return deps.cards.findSession(channel, attempt.attempt_id, expires_at - longest_s, expires_at);
}

async function judge(
  deps: PaymentDeps,
  channel: Channel,
  attempt: Attempt,
  session: CardSession,
): Promise<Observation> {
  const why = disagreement(attempt, session);
  if (why !== null) return { kind: 'mismatch', session, why };
  if (session.paid) return paidAt(deps, channel, session);
  switch (session.status) {
    case 'open':
      return { kind: 'open', session };
    case 'expired':
      return { kind: 'closed', session };
    case 'complete':
      return underWay(deps, channel, session);
    case null:
      return { kind: 'failed_lookup', why: 'unknown session status' };
  }
}

/** The provider's own time of payment (D-112). */
async function paidAt(deps: PaymentDeps, channel: Channel, session: CardSession): Promise<Observation> {
  if (session.payment_id === null) {
    return { kind: 'paid', session, trade_no: session.id, occurred_at: deps.clock.now() };
  }
  const payment = await deps.cards.payment(channel, session.payment_id);
  if (payment.kind !== 'found') return { kind: 'failed_lookup', why: 'the payment could not be read' };
  const occurred_at = new Date(payment.value.paid_at * 1_000);
  return { kind: 'paid', session, trade_no: session.payment_id, occurred_at };
}

/** Complete but not paid: an asynchronous method, still under way or failed for good (D-101, D-102). */
async function underWay(deps: PaymentDeps, channel: Channel, session: CardSession): Promise<Observation> {
  if (session.payment_id === null) return { kind: 'processing', session };
  const payment = await deps.cards.payment(channel, session.payment_id);
  if (payment.kind !== 'found') return { kind: 'failed_lookup', why: 'the payment could not be read' };
  return { kind: payment.value.state === 'failed' ? 'failed' : 'processing', session };
}
