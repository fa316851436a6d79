/** The money of cases at the provider: its refunds and disputes, and what they mean for the case. */
export { applyAnswer, bookLostPart, bookReturn } from './apply-provider-answer.ts';
export { answerAfterOrder, answerOfDispute } from './case-dispute.ts';
export { findReturn, readCaseRefunds } from './case-refund.ts';
export { endWaitingAttempt, selectWaitingBeside } from './end-waiting-attempt.ts';
export { readLeft } from './money-left.ts';
export { failedOfCase, openIfContradicted, openIfReturnedBeside } from './open-contradiction-case.ts';
export { settleOrdersPart } from './order-share-of-dispute.ts';
export type { CaseAnswer } from './provider-answer.ts';
export { pursueCase, pursueDueCases } from './pursue-case.ts';
