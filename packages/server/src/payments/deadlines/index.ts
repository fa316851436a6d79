export { passDeadline } from './pass-deadline.ts';
export { type OverdueMark, sweepKind } from './sweep-overdue.ts';
