/** What the payment engine needs from an order, and what its rooms share. */
export { processDue } from './process-due.ts';
export { type DueRows, selectBooksWithDue } from './due-rows.sql.ts';
export type { LossDeps, PaymentDeps } from './deps.ts';
export { type HintResult, unfinished, finished, notSettledYet } from './hint-result.ts';
export { type ChannelSlots, createChannelSlots, createPace, runUntilNoneDue } from './channel-slots.ts';
export type { KindOf, Payable, PayableKind } from './order-kind.ts';
