/** Reads and lists collection orders. */
export { listOrdersOfAllMerchants } from './all-orders.ts';
export { selectOverdueBacklog, selectReviewBacklog } from './backlog.sql.ts';
export {
  findNamedOrders,
  isOrderCursor,
  listOrderPage,
  parseOrderCursor,
  orderCursorText,
  readOrderFilter,
} from './order-pages.ts';
export { listOrdersByTime, readCreationSpan } from './list-by-time.ts';
export { selectOrdersWith } from './order-pages.sql.ts';
export { listOrders } from './list-orders.ts';
export { readOrder } from './read-order.ts';
