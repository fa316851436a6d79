/** Follows refunds and disputes at the provider to the order or the case that holds their payment. */
export { followDispute, followDueDisputes } from './follow-dispute.ts';
export { followEarlierLosses } from './follow-earlier-losses.ts';
export { followRefunds } from './follow-refunds.ts';
