/** Asks the provider for the session of an attempt. */
import type { Attempt, Observation, Seen } from '../attempts/index.ts';
import type { PaymentDeps } from '../engine/index.ts';
import { settle } from '../settling/index.ts';
import { AppError, InvariantError } from '../../base/errors.ts';
import type { StartResult } from './start-result.ts';
import { disagreement } from './compare-session.ts';
import { lookUpSession } from './look-up-session.ts';

/**
 * Asks for the session of an attempt that this request holds, and applies the answer. A definite refusal is
 * `provider_checkout_rejected`: of the first request, or of a retry if no request can have made a session
 * (D-196, D-351). After any other refused retry, a time-out or a failure of the provider, the attempt stays unclear and the
 * method stays locked: the result is pending. If a webhook has settled the order before
 * the answer came, the answer changes nothing.
 */
export async function openSession(deps: PaymentDeps, attempt: Attempt): Promise<StartResult> {
  const after = await settle(deps, attempt, await askForSession(deps, attempt));
  switch (after.state) {
    case 'open':
      return { kind: 'redirect', redirect_url: after.session_url ?? '' };
    case 'paid':
    case 'paid_late':
      return { kind: 'paid' };
    case 'rejected':
      throw new AppError('provider_checkout_rejected');
    case 'mismatch':
      throw new AppError('provider_result_mismatch');
    default:
      return { kind: 'pending' };
  }
}

/**
 * Sends one request to create the session. A retry sends the same key and parameters (R-236, D-092). A failure on our
 * side is thrown, and never becomes an answer of the provider (D-199). Never call it inside a transaction.
 */
export async function askForSession(deps: PaymentDeps, attempt: Attempt): Promise<Seen> {
  const seen = await requestSession(deps, attempt);
  // D-990
  if (seen.kind === 'refused' || seen.kind === 'unclear') {
    const { order_no, attempt_id, payment_no } = attempt;
    const words = {
      refused: 'refused the session of a payment',
      unclear: 'gave no clear answer about a session',
    };
    deps.log.warn(
      { order_no, attempt_id, payment_no, why: seen.why },
      `the card provider ${words[seen.kind]}`,
    );
  }
  return { ...seen, asked: 'create the session' };
}

async function requestSession(deps: PaymentDeps, attempt: Attempt): Promise<Observation> {
  const channel = await deps.channels.find(attempt.payment_no);
  if (channel === null || attempt.request === null) {
    throw new InvariantError('an attempt without channel or request');
  }
  const answer = await deps.cards.createSession(channel, {
    ...attempt.request,
    merchant_id: attempt.merchant_id,
    amount: attempt.amount,
    currency: attempt.currency,
  });
  switch (answer.kind) {
    case 'created': {
      const why = disagreement(attempt, answer.session);
      // Only a look-up decides whether a session is paid.
      if (why !== null) {
        return { kind: 'mismatch', session: { ...answer.session, paid: false }, why, paid_at: null };
      }
      if (answer.session.url === null) return { kind: 'unclear', why: 'session without an address' };
      return { kind: 'open', session: answer.session };
    }
    case 'refused':
      return { kind: 'refused', why: answer.reason, ...(await absenceOf(deps, attempt)) };
    case 'unclear':
      return { kind: 'unclear', why: answer.reason, unreached: answer.unreached === true };
  }
}

/** Looks for the session of a refused retry, if no earlier request had an answer (D-196). */
async function absenceOf(deps: PaymentDeps, attempt: Attempt): Promise<{ absent_since?: Date }> {
  if (attempt.unclear_since === null || attempt.detail.unreached !== true) return {};
  const { kind } = await lookUpSession(deps, attempt, false);
  return kind === 'none' ? { absent_since: attempt.unclear_since } : {};
}
