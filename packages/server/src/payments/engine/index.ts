export { carryOnDue } from './carry-on-due.ts';
export type { LossDeps, PaymentDeps } from './deps.ts';
export { type Followed, again, ended, notSettledYet } from './followed.ts';
export { type Lanes, createLanes, untilNoneDue } from './lanes.ts';
export type { KindOf, Payable, PayableKind } from './payable.ts';
