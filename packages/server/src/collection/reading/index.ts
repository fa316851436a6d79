export { listOrdersAnywhere } from './all-orders.ts';
export { selectOverdueBacklog, selectReviewBacklog } from './backlog.sql.ts';
export {
  findNamedOrders,
  isOrderMark,
  listOrderPage,
  orderMarkOf,
  orderMarkText,
  readOrderFilter,
} from './order-pages.ts';
export { listOrders } from './list-orders.ts';
export { readOrder } from './read-order.ts';
