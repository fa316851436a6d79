/** Collection orders: their states, their storage and their notifications. */
export type { CollectionDeps } from './deps.ts';
export { expireIfDue, sweepOverdue } from './expire-order.ts';
export { orderCsvColumns } from './order-csv.ts';
export { type CheckoutUrl, createdJson, orderJson } from './order-json.ts';
export { hasLostKeys, insertLostKey, type LostOrder, selectLostKey } from './lost-key.sql.ts';
export {
  insertOrder,
  orderColumns,
  selectOrder,
  selectOrderByKey,
  selectOrderByNo,
  selectTestOrders,
  sumTopUps,
} from './order.sql.ts';
export { type CollectionOrder, confirmedAt, type OrderStatus } from './order.ts';
export { collectionKind, payableOrder } from './payable-order.ts';
export { nothingSelected, withQuote } from './selected-method.ts';
export { announce, snapshotOf } from './status-notification.ts';
