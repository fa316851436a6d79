/** Consents that people give to clients. */
export { connectedApps } from './connected-apps.ts';
export { insertConsent, selectConsent } from './consent.sql.ts';
export { ensureSubject } from './subject.sql.ts';
