import type { Write } from '../base/db.ts';
import type { LossDeps } from './deps.ts';
import type { PaidOrder } from './paid-order.ts';

/** What a person has to look at, about an order whose payment does not go back as the books have it. */
export interface LossCase {
  kind: 'mismatch' | 'partial_refund';
  why: string;
  /** What went back, or is disputed, in minor units of the payment currency. */
  amount?: bigint;
  /** The provider's own name of what it is about: one case for each. */
  key: string;
}

export function openLossCase(deps: LossDeps, paid: PaidOrder, about: LossCase, _now: Date): Write[] {
  deps.log.error({ order_no: paid.order.order_no, why: about.why, key: about.key }, 'a case');
  return [];
}
