/** Decides what the state of a collection order means for an order of the shop. */
import { decidePosting, type CollectionOrder } from '@paydesk/sdk';
import { decimalOfMinor, minorOfDecimal } from '@paydesk/sdk/shop';

/** An order of the shop. Amounts are in the shop's smallest units. */
export interface ShopOrder {
  code: string;
  currency: string;
  state: string;
  /** What is not paid yet; not positive where nothing is missing. */
  due: bigint;
  /** The payment that was booked for the same payment event, if there is one. */
  booked?: { amount: bigint; status_version: number; event_id: string } | undefined;
}

export type Decision =
  | { action: 'settle'; amount: bigint; event_id: string }
  | { action: 'refund' }
  /** A person has to look at it: money is somewhere else than the shop says. */
  | { action: 'note'; text: string }
  | { action: 'none' };

/** The states in which Vendure takes a payment. A cart to which the buyer went back can be paid, too. */
const payable = new Set(['AddingItems', 'ArrangingPayment', 'ArrangingAdditionalPayment']);

/**
 * Decides by the SDK's rule for postings. Only a payment of exactly the missing amount settles an order (D-367).
 *
 * @param decimals the digits after the point that the shop keeps
 */
export function decide(
  state: CollectionOrder,
  order: ShopOrder,
  { decimals, accept_test_mode }: { decimals: number; accept_test_mode: boolean },
): Decision {
  const { booked } = order;
  const due = booked?.amount ?? (order.due > 0n ? order.due : 0n);
  const expected = {
    external_reference: order.code,
    amount: decimalOfMinor(due, decimals),
    currency: order.currency,
  };
  const stored =
    booked === undefined
      ? undefined
      : { status_version: booked.status_version, posted_event_id: booked.event_id };
  const decision = decidePosting(stored, state, expected, { accept_test_mode });
  switch (decision.action) {
    case 'ignore':
      return { action: 'none' };
    case 'record':
      return recorded(state, booked !== undefined);
    case 'mismatch':
      if (state.status !== 'paid') return recorded(state, false);
      return note(state, reason(order, decision.differences.includes('test_mode'), expected.amount));
    case 'post':
      if (!payable.has(order.state)) return note(state, `The order is in the state ${order.state}`);
      return {
        action: 'settle',
        amount: minorOfDecimal(state.amount, decimals),
        event_id: decision.event_id,
      };
  }
}

/** A payment that was taken back; any other state without a payment changes nothing in the shop. */
function recorded(state: CollectionOrder, isBooked: boolean): Decision {
  const { order_no, amount, currency, status } = state;
  if (status === 'refunded' && isBooked) return { action: 'refund' };
  if (status === 'refunded' || status === 'chargeback') {
    const what = status === 'refunded' ? 'was refunded' : 'was charged back by the payer';
    return { action: 'note', text: `Paydesk: the payment of ${amount} ${currency} (${order_no}) ${what}.` };
  }
  return { action: 'none' };
}

function reason(order: ShopOrder, isTest: boolean, due: string): string {
  if (isTest) return 'It came through a test channel, which this payment method does not accept';
  if (order.due <= 0n) return 'The order needs no further payment';
  return `The order needs ${due} ${order.currency}`;
}

function note({ order_no, amount, currency }: CollectionOrder, why: string): Decision {
  return {
    action: 'note',
    text: `Paydesk received ${amount} ${currency} for this order (${order_no}). ${why}, so nothing was booked. Ask the operator of Paydesk to refund ${order_no}.`,
  };
}
