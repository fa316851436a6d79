/** An order of either kind in the terms of the buyer's page. */
import { rfc3339OrNull } from '../../base/time/clock.ts';
import { type CatalogOrder, invoiceMinor, lineOf } from '../../catalog/orders/index.ts';
import type { CollectionOrder } from '../../collection/orders/index.ts';

/** What the page shows of an order. A collection order has all of it as it is stored. */
export type ShownOrder = Pick<
  CollectionOrder,
  | 'merchant_id'
  | 'order_no'
  | 'description'
  | 'external_reference'
  | 'amount_minor'
  | 'currency'
  | 'currency_decimals'
  | 'status'
  | 'expires_at'
  | 'test_mode'
  | 'return_url'
  | 'price_e12'
  | 'occurred_at_text'
> &
  /** What its event stream follows, if it has one. */
  Partial<Pick<CollectionOrder, 'status_version' | 'payment_no'>>;

/** A catalog order as the page shows it. */
export function shownCatalogOrder(order: CatalogOrder): ShownOrder {
  return {
    merchant_id: order.merchant_id,
    order_no: order.order_no,
    description: lineOf(order),
    external_reference: order.gd_no,
    amount_minor: invoiceMinor(order),
    currency: order.currency,
    currency_decimals: order.currency_decimals,
    status: pageStatusOf(order),
    expires_at: order.expires_at,
    test_mode: order.test_mode,
    return_url: '',
    price_e12: order.price_e12,
    occurred_at_text: rfc3339OrNull(order.paid_at),
  };
}

/** The status of a collection order that says the same about the payment. */
function pageStatusOf({ state, reversed }: CatalogOrder): ShownOrder['status'] {
  if (reversed !== null) return reversed;
  switch (state) {
    case 'pending':
    case 'review':
      return state;
    case 'paid':
    case 'completed':
      return 'paid';
    case 'cancelled':
      return 'expired';
  }
}
