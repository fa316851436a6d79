/** Card payments: starting one, its provider session, and looking up its result. */
export { type SessionHint, findAttempt, followAttempt } from './follow-session.ts';
export { isSessionOver, lookUpSession } from './look-up-session.ts';
export { readPaidAt } from './observe-session.ts';
export { beginDueChecks, checkDueAttempts } from './check-due-attempts.ts';
export { readMethod } from './pay-from-snapshot.ts';
export { startPayment } from './start-payment.ts';
export { withdrawAttempt } from './withdraw-attempt.ts';
