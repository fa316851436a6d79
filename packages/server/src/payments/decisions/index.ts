export { followDispute, followDueDisputes, followRefunds } from './follow-losses.ts';
export { pursueCase, pursueDueCases } from './pursue-case.ts';
export { allowedActions, prepareResolution, resolveCase } from './resolve-case.ts';
export { keepUnmatched } from './unmatched-receipts.ts';
