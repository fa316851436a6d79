/** Says what people must do about each loss of a restore (D-1089). Pure. */
import { isCatalogOrderNo } from '../catalog/orders/index.ts';
import type { Difference } from '../payments/reconciliation/index.ts';

/** An event of the gap: its status, the status of its order now, and the trade number of its payment, if it had one. */
export interface PastEvent {
  status: string;
  status_now: string | null;
  provider_trade_no: string | null;
}

const paidOnce: readonly string[] = ['paid', 'refunded', 'chargeback'];

/** Whether what an event has said is true of the order as it is now: the order has this status, or has had it. */
export const isTrueAgain = ({ status, status_now }: Pick<PastEvent, 'status' | 'status_now'>): boolean =>
  status_now !== null &&
  (status === status_now || status === 'pending' || (status === 'paid' && paidOnce.includes(status_now)));

/** What the merchant must do about an event that it has received. */
export function whatToDo(event: PastEvent): string {
  if (isTrueAgain(event)) return 'Keep what you did.';
  return event.status_now === null ? ofGoneOrder(event) : ofKnownOrder(event, event.status_now);
}

const isPtk = (trade_no: string | null): boolean => trade_no?.startsWith('PTK:') === true;

function ofGoneOrder({ status, provider_trade_no }: PastEvent): string {
  switch (status) {
    case 'pending':
    case 'review':
      return 'The order is gone. If you still want it, create it again with the same idempotency key; 409 means that its buyer has paid, see above.';
    case 'paid':
      if (isPtk(provider_trade_no))
        return 'The order and its payment in PTK are gone, and the buyer has the PTK again. Deliver nothing for it. To sell it, or if you have delivered, create a new order with a new idempotency key and ask the buyer to pay it.';
      return 'The order is gone. If it was paid by card, we hold the payment: see above. If it was paid in PTK, the buyer has the PTK again. Deliver nothing for it. To sell it, create a new order with a new idempotency key, and tell us if you have delivered.';
    case 'refunded':
    case 'chargeback':
      return 'The order is gone, its payment too. Deliver nothing for it.';
    default:
      return 'The order is gone. Do nothing for it.';
  }
}

function ofKnownOrder({ status, provider_trade_no }: PastEvent, status_now: string): string {
  const isOpen = status_now === 'pending';
  switch (status) {
    case 'paid': {
      const money = isPtk(provider_trade_no)
        ? 'The order is not paid: the buyer has the PTK again.'
        : 'The order is not paid here. If a card payment of it is above, we hold that money; PTK are with the buyer again.';
      return isOpen
        ? `${money} Deliver nothing yet. The buyer can pay by the order’s link until it expires; ask the buyer to if you have delivered.`
        : `${money} Deliver nothing. To sell it, or if you have delivered, create a new order with a new idempotency key and ask the buyer to pay it.`;
    }
    case 'refunded':
      return isPtk(provider_trade_no)
        ? 'The order is paid again: the buyer has not got the PTK back. Ask us for the refund again.'
        : 'The order is not refunded here. Ask us for the refund again if the buyer has not got the money.';
    case 'chargeback':
      return 'The chargeback is not booked. We follow it when the provider reports it again. Deliver nothing more.';
    case 'expired':
      return isOpen
        ? 'The order can be paid until it expires. Wait for its next event.'
        : 'Read the order: it has gone on.';
    default:
      return 'Read the order, and act by its status.';
  }
}

/** A difference that a person must handle: the parts that decide what to do. */
export interface LeftOver extends Pick<Difference, 'kind' | 'order_no'> {
  case_id: string | null;
  /** Whether the order that it names is here. */
  is_known_order: boolean;
  /** For a catalog order: whether its session has all that is needed to make it again. */
  is_recoverable: boolean;
}

/** What to do about a catalog order that was made again and is paid. */
export const deliveryFor = (order_no: string): Instructions => ({
  operator: `Order ${order_no} was made again without the buyer’s inputs, and is not delivered: its buyer may have the goods. Send its merchant the letter. If the merchant cannot deliver, refund the order.`,
  merchant:
    'Nothing is delivered for it by itself, and what the buyer entered for the delivery is lost. If the buyer has the goods, mark the order as delivered, then withdraw the codes that the buyer has. If not, deliver by hand and mark it; ask the buyer for what you need. If you cannot deliver, ask us to refund it.',
});

/** What the operator must do, and what the merchant does meanwhile. */
export interface Instructions {
  operator: string;
  merchant: string;
}

/** What to do about a difference that the command has left. */
export function instructionsFor(left: LeftOver): Instructions {
  const { kind, order_no, case_id, is_known_order, is_recoverable } = left;
  if (kind === 'payment_missing_there')
    return {
      operator:
        'Look for the payment in the provider’s dashboard, in each of your accounts. If the channel has another account now, give it the key of the old one and run this again. If no account has it, tell the merchant that nothing was received.',
      merchant: 'The card provider does not know this payment. Deliver nothing more until we tell you.',
    };
  if (kind === 'amount_differs')
    return {
      operator:
        'Compare the order with the payment in the provider’s dashboard. Return what is too much there; if it is too little, agree with the merchant.',
      merchant: 'The card provider has another amount. Deliver nothing more until we tell you.',
    };
  if (case_id === null)
    return {
      operator:
        'Run this again if the provider could not be asked. If the payment is not for this service, there is nothing to do.',
      merchant: 'We are finding out what this payment is for.',
    };
  const refund = `Refund case ${case_id} (administration, Cases)`;
  if (!is_known_order && order_no !== null && isCatalogOrderNo(order_no))
    return {
      operator: is_recoverable
        ? `Mend the reason above if you can, such as the stock, a rate or a fee, and run this again: it tries again. Otherwise ${lower(refund)}; the buyer can order again. If the merchant has delivered, agree with it first.`
        : `This catalog order cannot be made again: its session does not say what was ordered, and by whom. The provider shows product and quantity as the name of what was bought. ${refund}; the buyer can order again. If the merchant has delivered, agree with it first.`,
      merchant:
        'This order of your catalog is gone. Deliver nothing for it unless we tell you. We refund the buyer, who can order again, if the order cannot be made again. If you have delivered it, tell us at once: then agree with us before we refund.',
    };
  if (!is_known_order)
    return {
      operator: `The order cannot be made again as its buyer has paid it. If a rate, a fee or a channel was changed in the gap, change it again and run this again: it tries again. Otherwise ${lower(refund)}; the merchant can create a new order with a new idempotency key.`,
      merchant:
        'The order is gone, and we hold the payment. Deliver nothing for it until we tell you. If you have delivered it, tell us at once.',
    };
  return {
    operator: `The order is here and cannot use this payment. ${refund}, unless the reason above can be mended: then adopt it.`,
    merchant:
      'The order cannot use this payment. Act by the status of the order. We return the payment to its buyer.',
  };
}

const lower = (text: string): string => text.charAt(0).toLowerCase() + text.slice(1);
