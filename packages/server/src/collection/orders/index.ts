export type { CollectionDeps } from './deps.ts';
export { expireIfDue, sweepOverdue } from './expire-order.ts';
export { type CheckoutUrl, createdJson, orderJson } from './order-json.ts';
export {
  insertOrder,
  orderColumns,
  selectOrder,
  selectOrderByKey,
  selectOrderByNo,
  selectOrders,
} from './order.sql.ts';
export type { CollectionOrder, OrderStatus } from './order.ts';
export { collectionKind, nothingSelected, payableOrder, withQuote } from './payable-order.ts';
export { announce } from './status-event.ts';
