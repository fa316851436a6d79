import { AppError } from '../../base/errors.ts';
import type { Attempt } from '../attempts/index.ts';
import type { PaymentDeps } from '../engine/index.ts';
import { settle } from '../settling/index.ts';
import { askForSession } from '../card/index.ts';
import type { StartResult } from './start-result.ts';

/**
 * Asks for the session of an attempt that this request holds and that is committed, without any lock, and applies the answer
 * under the guards of `settle` (D-099). A definite refusal is
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
