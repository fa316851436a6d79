import type { CardSession } from '../../channels/index.ts';
import { type Attempt, endedUnpaid, isPaid, type Seen, tradeNo } from '../attempts/index.ts';
import type { PaymentCase } from '../cases/index.ts';

/**
 * Money through a test session of an account for real money is no money: it is never booked. Real money is, also
 * where a test was expected.
 */
export const countsAsMoney = ({ mode_matches, livemode }: CardSession): boolean => mode_matches || livemode;

/**
 * What was seen as it counts beside the order's cases: a payment that one of them holds settles nothing and opens
 * nothing anew, and a disagreement that a person has decided on is not put to them again.
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
 * What was paid through another session than the attempt's own, which it may have learned of while it was looked for:
 * not what was asked for (D-082, D-083).
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

/** Whether a case is about what an attempt asked for, and not about what became of its payment later. */
export const isAboutRequest = ({ kind, attempt_id, detail }: PaymentCase, attempt: Attempt): boolean =>
  kind === 'mismatch' && attempt_id === attempt.attempt_id && detail.asked !== undefined;
