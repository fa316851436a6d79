/** Payment links. */
export { brokenBound, type PaymentLink, statusOfLink } from './payment-link.ts';
export { type LinkMark, selectLinkPage } from './payment-link.sql.ts';
export { buildLink, closeLink, storeLink } from './save-link.ts';
export { findLink, isVisit, newVisit, orderOfVisit } from './visit-link.ts';
