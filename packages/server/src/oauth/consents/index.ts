/** Consents that people give to clients. */
export { type AppLimits, exceededLimit, limitText, noLimits, readLimits } from './app-limits.ts';
export { connectedApps } from './connected-apps.ts';
export { deleteTokensOf, insertConsent, isCodeAllowed, lockAppLimits, selectConsent } from './consent.sql.ts';
export { ensureSubject } from './subject.sql.ts';
