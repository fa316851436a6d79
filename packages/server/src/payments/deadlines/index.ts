export { passDeadline } from './pass-deadline.ts';
export { type OverdueMark, sweepOverdueOrders } from './sweep-overdue.ts';
