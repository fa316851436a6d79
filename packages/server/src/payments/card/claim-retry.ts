import { later } from '../../base/time/clock.ts';
import type { Tx } from '../../base/pg/index.ts';
import { type Attempt, updateAttempt } from '../attempts/index.ts';
import type { PaymentDeps } from '../engine/index.ts';

/** Claims an attempt with an unclear creation, to send the same request again under the same key (D-092). */
export async function claimRetry(deps: PaymentDeps, tx: Tx, attempt: Attempt): Promise<Attempt> {
  const { unreached, ...detail } = attempt.detail;
  // A request that held the lease and stored no answer may have reached the provider (D-196).
  const isTold = attempt.lease_until === null && unreached === true;
  const claimed: Attempt = {
    ...attempt,
    detail: isTold ? attempt.detail : detail,
    state: 'unknown',
    // The proof of an absence counts from the last request (D-093).
    unclear_since: deps.clock.now(),
    lease_until: later(deps.clock.real(), deps.lease_ms),
  };
  await tx.finish([updateAttempt(attempt, claimed)]);
  return claimed;
}
