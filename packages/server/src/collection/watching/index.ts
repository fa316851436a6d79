export { type OrderWatch, watchOrders } from './watch-orders.ts';
