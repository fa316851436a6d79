/** Reads and lists collection orders. */
export { selectOverdueBacklog, selectReviewBacklog } from './backlog.sql.ts';
export { countOrders, findNamedOrders, type ListDeps, listOrderPage } from './order-pages.ts';
export { listOrdersByTime, readCreationSpan } from './list-by-time.ts';
export { listOrders } from './list-by-reference.ts';
export { readOrder } from './read-order.ts';
