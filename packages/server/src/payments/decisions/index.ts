/** Decisions on cases, and carrying them out at the provider. */
export { followDispute, followDueDisputes } from './follow-dispute.ts';
export { followLosses } from './follow-losses.ts';
export { followRefunds } from './follow-refunds.ts';
export { pursueCase, pursueDueCases } from './pursue-case.ts';
export { allowedActions } from './case-actions.ts';
export { readLeft } from './left-of-case.ts';
export { prepareResolution } from './prepare-resolution.ts';
export { failedOfCase } from './returned-twice.ts';
export { resolveCase } from './resolve-case.ts';
export { isOurSession } from './our-session.ts';
export { keepUnmatchedReceipt, keepWebhooksReceipt } from './keep-unmatched-receipt.ts';
