export { overdueOrders } from './overdue.sql.ts';
export { passDeadline } from './pass-deadline.ts';
export { sweepOverdueOrders } from './sweep-overdue.ts';
