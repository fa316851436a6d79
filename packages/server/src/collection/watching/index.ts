/** Watches orders for changes, for callers that wait. */
export { type OrderWatch, watchOrders } from './watch-orders.ts';
