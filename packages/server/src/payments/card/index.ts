export { type SessionHint, attemptOf, followAttempt } from './follow-session.ts';
export { isDead, lookUp, timeOf } from './look-up-session.ts';
export { beginReconciliation, reconcileDue } from './reconcile.ts';
export { glanceAt, startPayment } from './start-payment.ts';
