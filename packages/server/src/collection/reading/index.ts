export { listOrdersAnywhere, overdueBacklog, reviewBacklog } from './list-orders-anywhere.ts';
export {
  findNamedOrders,
  isOrderMark,
  listOrderPage,
  orderMarkOf,
  orderMarkText,
  readOrderFilter,
} from './list-orders.ts';
export { listOrders, readOrder } from './read-orders.ts';
export { type OrderWatch, watchOrders } from './watch-orders.ts';
