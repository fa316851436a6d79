import { rfc3339, rfc3339OrNull } from '../../base/time/clock.ts';
import { merchantNo, platformBook } from '../../base/ids.ts';
import { formatMinor } from '../../base/money.ts';
import type { PaymentCase } from '../../payments/cases/index.ts';

/** A case as administrators see it. Members that do not apply to the case are left out. */
export function caseJson(known: PaymentCase) {
  const { merchant_id, amount, currency, currency_decimals } = known;
  const isDecimal = amount !== null && currency_decimals !== null;
  return {
    case_id: known.case_id,
    kind: known.kind,
    state: known.state,
    merchant_no: merchant_id === platformBook ? null : merchantNo(merchant_id),
    ...named('order_no', known.order_no),
    ...named('attempt_id', known.attempt_id),
    ...named('payment_no', known.payment_no),
    ...named('session_id', known.session_id),
    ...named('provider_payment_id', known.provider_payment_id),
    ...named('amount', isDecimal ? formatMinor(amount, currency_decimals) : null),
    ...named('amount_minor', amount?.toString() ?? null),
    ...named('currency', currency),
    test_mode: known.test_mode,
    booked: known.booked,
    opened_at: rfc3339(known.opened_at),
    paid_at: rfc3339OrNull(known.paid_at),
    resolved_at: rfc3339OrNull(known.resolved_at),
    resolution: known.resolution,
    reason: known.reason,
    refund: refundMembers(known),
    detail: known.detail,
  };
}

/** What the case still holds; left out if it holds nothing (D-750). */
export function leftJson({ currency, currency_decimals }: PaymentCase, left: bigint | undefined) {
  if (left === undefined) return {};
  const isDecimal = currency_decimals !== null;
  return {
    left: {
      ...named('amount', isDecimal ? formatMinor(left, currency_decimals) : null),
      amount_minor: left.toString(),
      ...named('currency', currency),
    },
  };
}

const named = <K extends string>(name: K, value: string | null): Partial<Record<K, string>> =>
  value === null ? {} : ({ [name]: value } as Record<K, string>);

/** The refund of a case. A refund that the provider has not confirmed is shown as pending, for any reason. */
function refundMembers({ refund_status, resolution, state, refund_amount, provider_refund_id }: PaymentCase) {
  if (refund_amount === null || resolution !== 'refund') return null;
  const isDone = state === 'resolved' && refund_status === null;
  return {
    status: isDone ? 'succeeded' : 'pending',
    amount_minor: refund_amount.toString(),
    provider_refund_id,
  };
}
