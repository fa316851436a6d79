/** Compares an observation with the cases of the order: a payment that a case holds does not count again. */
import { type CardSession, tradeNo } from '../../channels/card/index.ts';
import { type Attempt, endedUnpaid, isPaid, type Seen } from '../attempts/index.ts';
import type { PaymentCase } from '../cases/index.ts';

/**
 * Whether the payment of a session can be booked. A test payment on a live account is not money. A live payment is, even if
 * a test payment was expected.
 */
export const countsAsMoney = ({ mode_matches, livemode }: CardSession): boolean => mode_matches || livemode;

/**
 * Replaces an observation by `settled_by_case` if a case of the order already covers it: a case holds the payment, or a
 * person has decided about the mismatch. Such an observation settles nothing and opens no second case (D-082, D-083,
 * D-104, D-904).
 */
export function accountForCases(observed: Seen, before: Attempt, cases: readonly PaymentCase[]): Seen {
  const seen = accountForOwnSession(observed, before);
  if (seen.kind !== 'paid' && seen.kind !== 'mismatch') return seen;
  const { session, asked } = seen;
  const settledBy = (why: string): Seen => ({
    kind: 'settled_by_case',
    session,
    why,
    ...(asked === undefined ? {} : { asked }),
  });
  if (session.paid) {
    const trade_no = tradeNo(session);
    const holder = cases.find(({ provider_payment_id }) => provider_payment_id === trade_no);
    return /* guard: payment-in-one-case-only = true */ holder === undefined
      ? seen
      : settledBy(holder.case_id);
  }
  const decided = endedUnpaid(before) ? cases.find((known) => isAboutRequest(known, before)) : undefined;
  return decided?.state === 'resolved' ? settledBy(decided.case_id) : seen;
}

/**
 * Turns a payment through another session into a mismatch, which belongs to its own case alone (D-082, D-083, D-860).
 * The attempt can learn its own session while the look-up runs, so this is checked under the lock.
 */
function accountForOwnSession(seen: Seen, before: Attempt): Seen {
  if (seen.kind !== 'paid' || isPaid(before)) return seen;
  if (
    before.session_id === null ||
    /* guard: session-compared-under-the-lock = true */ before.session_id === seen.session.id
  )
    return seen;
  const { session, occurred_at: paid_at, asked } = seen;
  return { kind: 'mismatch', session, why: 'session', paid_at, ...(asked === undefined ? {} : { asked }) };
}

/** Whether a case is about the request of an attempt, not about the return of its payment. */
export const isAboutRequest = ({ kind, attempt_id, detail }: PaymentCase, attempt: Attempt): boolean =>
  kind === 'mismatch' && attempt_id === attempt.attempt_id && detail.asked !== undefined;
