/** Connects collection orders to the payment engine. */
import type { Write } from '../../base/pg/index.ts';
import type { Payable, PayableKind } from '../../payments/engine/index.ts';
import type { IdSource } from '../../base/ids.ts';
import type { CollectionOrder, OrderStatus } from './order.ts';
import { selectOrderByNo, selectOrderForUpdate, selectOrdersForUpdate, updateOrder } from './order.sql.ts';
import { deadlineEvent, moved, type OrderEvent } from './status-change.ts';
import { announce } from './status-notification.ts';
import { withoutQuote, withQuote } from './selected-method.ts';

/** A collection order as the payment engine sees it. */
interface PayableOrder extends Payable {
  order: CollectionOrder;
}

const phases: Record<OrderStatus, Payable['phase']> = {
  pending: 'open',
  review: 'review',
  expired: 'expired',
  paid: 'settled',
  refunded: 'settled',
  chargeback: 'settled',
};

/**
 * Collection orders as a kind of payable order.
 *
 * Invariants: every write is guarded by the status and version that were read under the lock. Every change of status
 * stores its notification in the same transaction. Selecting a method does not change the status.
 */
export function collectionKind(ids: IdSource): PayableKind {
  const change = (order: CollectionOrder, event: OrderEvent, now: Date): Write[] => {
    const after = moved(order, event);
    return [updateOrder(order, after), ...announce(after, ids, now)];
  };
  const kind: PayableKind<PayableOrder> = {
    async lock(tx, merchant_id, order_no) {
      const order = await selectOrderForUpdate(tx, merchant_id, order_no);
      return order === null ? null : payableOrder(order);
    },
    lockAll: selectOrdersForUpdate,
    findMerchant: async (db, order_no) => (await selectOrderByNo(db, order_no))?.merchant_id ?? null,
    moveAtDeadline({ order }, attemptCounts, now) {
      const event = deadlineEvent(order, attemptCounts, now);
      return event === null ? null : change(order, event, now);
    },
    markPaid({ order }, { quote, provider_trade_no, occurred_at, occurred_at_text }, now) {
      const after = {
        ...moved(withQuote(order, quote), 'paid'),
        // A ULID, so no other payment of the service has it.
        event_id: `pe_${ids.ulid(now)}`,
        provider_trade_no,
        occurred_at,
        occurred_at_text,
      };
      return [updateOrder(order, after), ...announce(after, ids, now)];
    },
    // A collection order reserves no stock, so it can always be fulfilled.
    canFulfil: () => Promise.resolve(true),
    markExpired: ({ order }, now) => change(order, 'unpaid', now),
    // The payment keeps its event_id, trade number and time.
    markRefunded: ({ order }, now) => change(order, 'refunded', now),
    markChargedBack: ({ order }, now) => change(order, 'charged_back', now),
    bindMethod: ({ order }, quote) => [updateOrder(order, withQuote(order, quote))],
    unbindMethod: ({ order }) =>
      // A channel that the merchant requested stays selected (D-044).
      order.requested_payment_no === '' ? [updateOrder(order, withoutQuote(order))] : [],
  };
  return kind;
}

/** Converts an order to the form that the payment engine reads. */
export function payableOrder(order: CollectionOrder): PayableOrder {
  return {
    order,
    merchant_id: order.merchant_id,
    order_no: order.order_no,
    phase: phases[order.status],
    reversed: order.status === 'refunded' || order.status === 'chargeback' ? order.status : null,
    provider_trade_no: order.provider_trade_no,
    expires_at: order.expires_at,
    price_e12: order.price_e12,
    gross_settlement_ptk: order.gross_settlement_ptk,
    hold_days: order.hold_days,
    buyer_user_id: null,
    wallet_user_id: order.wallet_user_id,
    recovery: recoveryOf(order),
    title: order.description === '' ? order.external_reference : order.description,
    landing: `/checkout/return/${order.order_no}`,
    canceled_landing: `/checkout/return/${order.order_no}?canceled=1`,
  };
}

/**
 * A historical order has no key. A top-up is not made again after a restore: its payment waits for a person, who gives the
 * PTK to the buyer or the money back.
 */
const recoveryOf = (order: CollectionOrder): Payable['recovery'] =>
  order.idempotency_key === '' || order.wallet_user_id !== null
    ? null
    : {
        idempotency_key: order.idempotency_key,
        external_reference: order.external_reference,
        amount_minor: order.amount_minor.toString(),
        currency: order.currency,
      };
