/** Connects catalog orders to the payment engine. */
import type { Write } from '../../base/pg/index.ts';
import type { CatalogRecovery } from '../../channels/card/index.ts';
import type { Payable, PayableKind } from '../../payments/engine/index.ts';
import { type CatalogEvent, type CatalogOrder, deadlineEvent, lineOf, moved, orderPath } from './order.ts';
import { addStock, lockStock, takeStock } from '../products/index.ts';
import {
  selectCatalogOrderByNo,
  selectOrderForUpdate,
  selectOrdersForUpdate,
  updateOrder,
} from './order.sql.ts';

/** A catalog order as the payment engine sees it. */
interface PayableCatalogOrder extends Payable {
  order: CatalogOrder;
}

/**
 * Catalog orders as a kind of payable order, settled and refunded like collection orders (D-177, D-189).
 *
 * Invariants: every order that is not cancelled holds its stock. The transaction that cancels an order returns its
 * stock, and the transaction that pays a cancelled order takes it again. Every write is guarded by the state and
 * version that were read under the lock, so stock moves at most once for each change of state. No change announces a
 * notification.
 */
export function catalogKind(): PayableKind {
  const kind: PayableKind<PayableCatalogOrder> = {
    async lock(tx, merchant_id, order_no) {
      const order = await selectOrderForUpdate(tx, merchant_id, order_no);
      return order === null ? null : payable(order);
    },
    lockAll: selectOrdersForUpdate,
    findMerchant: async (db, order_no) => (await selectCatalogOrderByNo(db, order_no))?.merchant_id ?? null,
    moveAtDeadline({ order }, attemptCounts, now) {
      const event = deadlineEvent(order, attemptCounts, now);
      return event === null ? null : change(order, event, now);
    },
    canFulfil: async (tx, { order }) =>
      (await lockStock(tx, order.merchant_id, order.gd_no)) >= order.quantity,
    markPaid({ order }, { provider_trade_no, occurred_at }, now) {
      const after = { ...moved(order, 'paid', now), provider_trade_no, paid_at: occurred_at };
      // Cancelling the order returned its stock, so a late payment takes it again.
      const retaken =
        /* guard: stock-taken-again = false */ order.state === 'cancelled'
          ? [takeStock(order.merchant_id, order)]
          : [];
      return [updateOrder(order, after), ...retaken];
    },
    markExpired: ({ order }, now) => change(order, 'unpaid', now),
    markRefunded: ({ order }, now) => change(order, 'refunded', now),
    markChargedBack: ({ order }, now) => change(order, 'charged_back', now),
    // The order is created for one channel, with that channel's quote (D-179).
    bindMethod: () => [],
    unbindMethod: () => [],
  };
  return kind;
}

/** Returns the writes of a change of state. Cancelling also returns the stock (D-178). */
function change(order: CatalogOrder, event: CatalogEvent, now: Date): Write[] {
  const after = moved(order, event, now);
  const returned =
    /* guard: stock-given-back = false */ after.state === 'cancelled'
      ? addStock(order.merchant_id, [order])
      : [];
  return [updateOrder(order, after), ...returned];
}

function payable(order: CatalogOrder): PayableCatalogOrder {
  return {
    order,
    merchant_id: order.merchant_id,
    order_no: order.order_no,
    phase: phaseOf(order),
    reversed: order.reversed,
    provider_trade_no: order.provider_trade_no,
    expires_at: order.expires_at,
    price_e12: order.price_e12,
    gross_settlement_ptk: order.gross_settlement_ptk,
    hold_days: order.hold_days,
    buyer_user_id: order.user_id,
    wallet_user_id: null,
    recovery: recoveryOf(order),
    title: lineOf(order),
    landing: `${orderPath(order.order_no)}?returned=1`,
    canceled_landing: `${orderPath(order.order_no)}?returned=canceled`,
  };
}

/** The buyer's inputs can be private, so they are not among it. */
const recoveryOf = (order: CatalogOrder): CatalogRecovery => ({
  gd_no: order.gd_no,
  quantity: order.quantity.toString(),
  user_id: order.user_id,
  client_id: order.client_id,
  total_minor: order.total_amount.toString(),
  discount_minor: order.discount_amount.toString(),
  currency: order.currency,
});

function phaseOf({ state, reversed }: CatalogOrder): Payable['phase'] {
  switch (state) {
    case 'pending':
      return 'open';
    case 'review':
      return 'review';
    case 'paid':
    case 'completed':
      return 'settled';
    case 'cancelled':
      return reversed === null ? 'expired' : 'settled';
  }
}
