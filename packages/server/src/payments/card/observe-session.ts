/** Reads what the provider says of a session and its payment. Never call these functions inside a transaction. */
import type { DeclineReason } from '@paydesk/contract';
import { type CardSession, type PaidWith, tradeNo } from '../../channels/card/index.ts';
import type { Channel } from '../../channels/index.ts';
import type { Attempt, Observation } from '../attempts/index.ts';
import type { PaymentDeps } from '../engine/index.ts';
import { disagreement } from './compare-with-request.ts';

/**
 * What a session says about its attempt. It is paid only if it agrees with what was requested; one that differs
 * pays nothing (R-217, D-104). One that has expired is closed unpaid, which can end review.
 */
export async function observeSession(
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
export async function observeAsyncPayment(
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
