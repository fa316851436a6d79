export { backlogByMerchant, failedTotal, totalBacklog } from './backlog.ts';
export { type DeliveryMetrics, deliveryMetrics } from './delivery-metrics.ts';
export { type GivenUp, selectFailedCount, selectGivenUp } from './given-up.sql.ts';
