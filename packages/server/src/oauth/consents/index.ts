export { connectedApps } from './connected-apps.ts';
export { insertConsent, selectConsent, selectSubject } from './consent.sql.ts';
