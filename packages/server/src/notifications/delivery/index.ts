export { selectFailedCount } from './backlog.sql.ts';
export { backlogByMerchant, failedTotal, totalBacklog } from './backlog.ts';
export { createDeliverer } from './deliver.ts';
export { deliveryMetrics } from './metrics.ts';
export { purgeOldAttempts } from './purge-attempts.ts';
