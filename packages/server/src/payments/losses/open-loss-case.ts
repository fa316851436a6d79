/** Opens a case about a paid order whose payment does not go back as the books expect (D-076). */
import type { Write } from '../../base/pg/index.ts';
import { openCase, toldUnder } from '../cases/index.ts';
import type { LossDeps } from '../engine/index.ts';
import type { PaidOrder } from './paid-order.ts';

export interface LossCase {
  kind: 'mismatch' | 'partial_refund';
  why: string;
  /** Returned or disputed amount, in minor units of `currency`. */
  amount?: bigint;
  /** Default: the currency of the payment. */
  currency?: string;
  /** The provider's id of the refund or dispute: one case for each. */
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
    dedupe_key: toldUnder(key, why),
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
