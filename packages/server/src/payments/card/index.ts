/** The sessions of card payments at the provider: asked for, looked up, closed. */
export { claimRetry } from './claim-retry.ts';
export { askForSession } from './create-session.ts';
export { demandKey } from './demand-key.ts';
export { type SessionHint, findAttempt, followAttempt } from './follow-session-hint.ts';
export { isSessionOver, lookUpSession } from './look-up-session.ts';
export { readPaidAt } from './observe-session.ts';
export { beginDueChecks, checkDueAttempts } from './check-due-attempts.ts';
export { withdrawAttempt } from './withdraw-for-other-method.ts';
