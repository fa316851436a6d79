import type { Write } from '../../base/pg/index.ts';
import { openCase } from '../cases/index.ts';
import type { LossDeps } from '../engine/index.ts';
import type { PaidOrder } from './paid-order.ts';

/** What a person has to look at, about an order whose payment does not go back as the books have it. */
export interface LossCase {
  kind: 'mismatch' | 'partial_refund';
  why: string;
  /** What went back, or is disputed, in minor units of the payment currency. */
  amount?: bigint;
  /** Where that is in another one. */
  currency?: string;
  /** The provider's own name of what it is about: one case for each. */
  key: string;
}

export function openLossCase(
  deps: LossDeps,
  { order, attempt }: PaidOrder,
  { kind, why, amount = 0n, currency = attempt.currency, key }: LossCase,
  now: Date,
): Write[] {
  const about = {
    merchant_id: order.merchant_id,
    kind,
    dedupe_key: key,
    order_no: order.order_no,
    attempt_id: attempt.attempt_id,
    payment_no: attempt.payment_no,
    test_mode: attempt.test_mode,
    amount: amount > 0n ? amount : null,
    currency,
    currency_decimals: currency === attempt.currency ? attempt.currency_decimals : null,
    detail: { why, seen: { name: key } },
  };
  return [openCase(deps, about, now)];
}
