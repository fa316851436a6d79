/** Compares once more what an earlier comparison found. */
import type { Lookup } from '../../channels/card/index.ts';
import type { Channel } from '../../channels/index.ts';
import { isPaid, selectAttempt } from '../attempts/index.ts';
import type { PaymentDeps } from '../engine/index.ts';
import { compareDispute } from './compare-dispute.ts';
import { comparePayment } from './compare-payment.ts';
import { compareRefund } from './compare-refund.ts';
import type { Difference, Found } from './difference.ts';
import { missingThere } from './missing-there.ts';
import type { RunBy } from './reconciliation.sql.ts';

/** A difference as it is now, by a look at what it is about; null where it is in order or is gone (D-1153). */
export async function compareAgain(
  deps: PaymentDeps,
  channel: Channel,
  { kind, session_id, provider_id, merchant_id, attempt_id }: Difference,
  run_by: RunBy,
): Promise<Found> {
  const { cards, db } = deps;
  switch (kind) {
    case 'payment_missing_here':
    case 'amount_differs':
      return compared(await cards.session(channel, session_id ?? ''), (session) =>
        comparePayment(deps, channel, session, run_by),
      );
    case 'payment_missing_there': {
      const attempt = await selectAttempt(db, merchant_id ?? '', attempt_id ?? '');
      return attempt !== null && isPaid(attempt) ? missingThere(deps, channel, attempt) : null;
    }
    case 'refund_missing_here':
    case 'refund_failed_there':
      return compared(await cards.refundById(channel, provider_id ?? ''), (refund) =>
        compareRefund(deps, channel, refund),
      );
    case 'dispute_missing_here':
      return compared(await cards.dispute(channel, provider_id ?? ''), (dispute) =>
        compareDispute(deps, channel, dispute),
      );
  }
}

async function compared<T>(found: Lookup<T>, compare: (value: T) => Promise<Found>): Promise<Found> {
  if (found.kind === 'failed') return { failure: found.reason };
  return found.kind === 'none' ? null : compare(found.value);
}
