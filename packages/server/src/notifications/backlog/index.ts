/** Counts and lists notifications that wait or have failed. */
export { backlogByMerchant, totalGivenUp, totalBacklog } from './backlog.ts';
export { deliveryMetrics } from './delivery-metrics.ts';
export { type GivenUp, hasDelivered, selectGivenUpCountOf, selectGivenUp } from './given-up.sql.ts';
