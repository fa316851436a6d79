/** What happens to an order whose deadline has passed. */
export { endReview } from './end-review.ts';
export { overdueOrders } from './overdue.sql.ts';
export { passDeadline } from './pass-deadline.ts';
export { sweepOverdueOrders } from './sweep-overdue.ts';
