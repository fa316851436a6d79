export { carryOnDue } from './process-due.ts';
export type { LossDeps, PaymentDeps } from './deps.ts';
export { type Followed, again, ended, notSettledYet } from './hint-result.ts';
export { type Lanes, createLanes, untilNoneDue } from './channel-slots.ts';
export type { KindOf, Payable, PayableKind } from './payable.ts';
