/** Asks the provider for the session of an attempt. */
import type { Attempt, Observation, Seen } from '../attempts/index.ts';
import type { PaymentDeps } from '../engine/index.ts';
import { InvariantError } from '../../base/errors.ts';
import { disagreement } from './compare-with-request.ts';
import { lookUpSession } from './look-up-session.ts';

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

/**
 * Looks for the session of a refused retry, if no earlier request had an answer (D-196). Without that proof the refusal of a
 * retry does not unlock the method.
 */
async function absenceOf(deps: PaymentDeps, attempt: Attempt): Promise<{ absent_since?: Date }> {
  if (attempt.unclear_since === null || attempt.detail.unreached !== true) return {};
  const { kind } = await lookUpSession(deps, attempt, false);
  return kind === 'none' ? { absent_since: attempt.unclear_since } : {};
}
