import type { TopUpRequest } from '@paydesk/contract';
import { type TopUp, topUpEntry } from '../../ledger/wallets/index.ts';
import type { Act } from '../../base/audit/index.ts';
import { readPaid } from './bank-money.ts';
import type { AdminDeps } from '../request/deps.ts';
import { postAudited } from './post-audited.ts';

/**
 * Tops up a wallet, once for each reference, with its entry in the audit log.
 *
 * @returns true if it was posted now, false if it had been posted before
 * @throws AppError `invalid_request` on `paid`, `reference_conflict`
 */
export async function runTopUp(
  deps: Pick<AdminDeps, 'db' | 'clock' | 'ids'>,
  act: Act,
  to: TopUp['to'],
  target: string,
  body: TopUpRequest,
): Promise<boolean> {
  const { amount_ptk, reference, paid } = body;
  const request: TopUp = {
    to,
    amount_ptk: BigInt(amount_ptk),
    reference,
    paid: await readPaid(deps.db, paid),
  };
  const after = {
    amount_ptk: request.amount_ptk.toString(),
    reference,
    ...(paid === undefined ? {} : { paid }),
  };
  return postAudited(deps, act, target, topUpEntry(request), after);
}
