export { connectedApps } from './connected-apps.ts';
export { insertConsent, selectConsent } from './consent.sql.ts';
export { selectSubject } from './subject.sql.ts';
