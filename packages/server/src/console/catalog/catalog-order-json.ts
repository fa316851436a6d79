import { rfc3339, rfc3339OrNull } from '../../base/time/clock.ts';
import { type CatalogOrder, orderJson } from '../../catalog/orders/index.ts';

/**
 * A catalog order as its merchant sees it: with the buyer's inputs, but without the buyer's identity.
 *
 * @param booked_at when its payment was booked; null if nothing was
 */
export function soldOrderJson(order: CatalogOrder, trade_no: string, booked_at: Date | null) {
  return {
    ...orderJson(order, trade_no),
    other_ipu: order.other_ipu,
    made_again: order.made_again,
    test_mode: order.test_mode,
    reversed: order.reversed,
    gross_settlement_ptk: order.gross_settlement_ptk.toString(),
    merchant_fee_ptk: order.merchant_fee_ptk.toString(),
    settlement_ptk: order.settlement_ptk?.toString() ?? null,
    expires_at: rfc3339(order.expires_at),
    paid_at: rfc3339OrNull(booked_at ?? order.paid_at),
    completed_at: rfc3339OrNull(order.completed_at),
  };
}
