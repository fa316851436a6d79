/** A difference between the provider's records and ours, without any effect. */
import { oneLine } from '../../base/input/one-line.ts';
import type { CardDispute, CardRefund } from '../../channels/card/index.ts';
import type { Channel } from '../../channels/index.ts';

/**
 * What one side lacks or has with other values:
 *
 * - `payment_missing_here`: the provider has a payment that settled nothing here and that no case holds;
 * - `payment_missing_there`: a payment settled an order here, and the provider does not have it;
 * - `amount_differs`: both have the payment, with different amounts or currencies, and no case says so;
 * - `refund_missing_here`, `dispute_missing_here`: the provider has a refund or a dispute of a payment that is known here,
 *   and it is not, or not all that the dispute has taken is booked (D-1291);
 * - `refund_failed_there`: a refund is booked here, has failed at the provider since, and no case says so (D-872).
 */
export type DifferenceKind =
  | 'payment_missing_here'
  | 'payment_missing_there'
  | 'amount_differs'
  | 'refund_missing_here'
  | 'refund_failed_there'
  | 'dispute_missing_here';

export interface Difference {
  kind: DifferenceKind;
  payment_no: string;
  session_id: string | null;
  provider_payment_id: string | null;
  /** The refund or dispute; null for a payment. */
  provider_id: string | null;
  /** Our reference, which the session carries. */
  attempt_id: string | null;
  order_no: string | null;
  merchant_id: string | null;
  amount_minor: string | null;
  currency: string | null;
}

/** `failure`: the provider could not be asked, so its time is compared again (D-905). */
export type Found = Difference | { failure: string } | null;

/** A refund or a dispute that one side lacks. */
export const lossDifference = (
  kind: Difference['kind'],
  { payment_no }: Channel,
  about: Pick<Difference, 'attempt_id' | 'order_no' | 'session_id'> & { merchant_id: string },
  { id, payment_id, amount, currency }: CardRefund | CardDispute,
): Difference => ({
  ...{ kind, payment_no, provider_id: id, provider_payment_id: payment_id, currency },
  session_id: about.session_id,
  attempt_id: about.attempt_id,
  order_no: about.order_no,
  merchant_id: about.order_no === null ? null : about.merchant_id,
  amount_minor: amount.toString(),
});

const saying: Record<DifferenceKind, string> = {
  payment_missing_here: 'the provider has this payment, and it settled nothing here',
  payment_missing_there: 'this payment settled an order here, and the provider does not have it',
  amount_differs: 'the provider has another amount or currency than the attempt',
  refund_missing_here: 'the provider has this refund, and it is not known here',
  refund_failed_there: 'this refund is booked here, and it has failed at the provider',
  dispute_missing_here: 'the provider has this dispute, and it is not known here, or not all of it is booked',
};

/** One line for people. */
export function differenceInWords(difference: Difference): string {
  const { kind, payment_no, provider_id, provider_payment_id, session_id, order_no } = difference;
  const about = provider_id ?? provider_payment_id ?? session_id ?? '';
  const { amount_minor, currency } = difference;
  const money =
    amount_minor === null || currency === null ? '' : `, ${amount_minor} minor units of ${currency}`;
  const order = order_no === null ? '' : `, order ${order_no}`;
  return oneLine(`${kind}: ${about} on channel ${payment_no}${order}${money}: ${saying[kind]}`);
}
