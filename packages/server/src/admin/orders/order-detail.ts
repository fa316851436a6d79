/** All that administrators see of one order: its members, its payment, its losses, its notifications. */
import { rfc3339, rfc3339OrNull } from '../../base/time/clock.ts';
import { AppError } from '../../base/errors.ts';
import { merchantNo } from '../../base/ids.ts';
import { formatMinor } from '../../base/money.ts';
import {
  expireIfDue,
  type CatalogOrder,
  orderJson as catalogOrderJson,
  selectCatalogOrderByNo,
  readTradeNo,
} from '../../catalog/orders/index.ts';
import {
  type CollectionOrder,
  confirmedAt,
  orderJson,
  selectOrderByNo,
  snapshotOf,
} from '../../collection/orders/index.ts';
import { selectArchivePlace } from '../../collection/archiving/index.ts';
import { timelineOf } from '../../collection/history/index.ts';
import { readOrder } from '../../collection/reading/index.ts';
import { listAllDeliveries } from '../../notifications/delivery-records/index.ts';
import type { AdminDeps } from '../request/deps.ts';
import { paymentMembers, readPaymentRecords } from './payment-detail.ts';

type DetailDeps = Pick<AdminDeps, 'db' | 'clock' | 'ids' | 'log' | 'payments'>;

const mostNotifications = 100;

/**
 * The details of one collection order. If its deadline has passed, the order is moved first, as in every read.
 * The checkout address and the provider's page are left out, because both would let a reader act as the buyer.
 *
 * @throws AppError `not_found`
 */
export async function orderDetail(deps: DetailDeps, order_no: string) {
  const { db } = deps;
  const found = await selectOrderByNo(db, order_no);
  if (found === null) throw new AppError('not_found');
  const { merchant_id } = found;
  const order = await readOrder(deps, merchant_id, order_no);
  const [records, notifications, archived] = await Promise.all([
    readPaymentRecords(db, order),
    listAllDeliveries(db, snapshotOf(order), mostNotifications),
    selectArchivePlace(db, order),
  ]);
  return {
    order: orderMembers(order),
    merchant_no: merchantNo(merchant_id),
    timeline: timelineOf({ ...records, order, notifications, archived }),
    ...paymentMembers(records),
    notifications,
  };
}

/**
 * The details of one catalog order, without the delivered content, which belongs to the buyer.
 *
 * @throws AppError `not_found`
 */
export async function catalogOrderDetail(deps: DetailDeps, order_no: string) {
  const found = await selectCatalogOrderByNo(deps.db, order_no);
  if (found === null) throw new AppError('not_found');
  const order = await expireIfDue({ ...deps, kindOf: deps.payments.kindOf }, found);
  const [records, trade_no] = await Promise.all([
    readPaymentRecords(deps.db, order),
    readTradeNo(deps, order),
  ]);
  return {
    order: catalogOrderMembers(order, trade_no),
    merchant_no: merchantNo(order.merchant_id),
    ...paymentMembers(records),
  };
}

/** The order as its merchant reads it, without the checkout address, plus members for operators. */
function orderMembers(order: CollectionOrder) {
  const { checkout_url: _, ...members } = orderJson(order, () => '');
  return {
    ...members,
    idempotency_key: order.idempotency_key,
    description: order.description,
    requested_payment_no: order.requested_payment_no,
    created_at: rfc3339(order.created_at),
    paid_at: rfc3339OrNull(confirmedAt(order)),
    expires_in: order.expires_in,
    notify_mode: order.notify_mode,
    notify_url: order.notify_url,
    // The rate of a historical order is unknown.
    ptk_price: order.price_e12 === 0n ? null : formatMinor(order.price_e12, 12),
    hold_days: order.hold_days,
  };
}

/** The order as the buyer's program reads it, plus members for operators. */
function catalogOrderMembers(order: CatalogOrder, trade_no: string) {
  return {
    ...catalogOrderJson(order, trade_no),
    state: order.state,
    reversed: order.reversed,
    user_id: order.user_id,
    client_id: order.client_id,
    other_ipu: order.other_ipu,
    made_again: order.made_again,
    provider_trade_no: order.provider_trade_no,
    expires_at: rfc3339(order.expires_at),
    paid_at: rfc3339OrNull(order.paid_at),
    completed_at: rfc3339OrNull(order.completed_at),
    ptk_price: formatMinor(order.price_e12, 12),
    hold_days: order.hold_days,
    test_mode: order.test_mode,
  };
}
