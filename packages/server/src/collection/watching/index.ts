/** Watches orders for changes, for callers that wait. */
export { type OrderWatch, versionOf, watchOrders } from './watch-orders.ts';
