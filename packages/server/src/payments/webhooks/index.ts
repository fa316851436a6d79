export { replayWebhook } from './given-up-webhooks.ts';
export {
  type GivenUpMark,
  type GivenUpWebhook,
  selectGivenUpCount,
  selectGivenUpWebhooks,
} from './given-up.sql.ts';
export { beginWebhooks, processCardWebhooks } from './process-webhooks.ts';
export { purgeOldWebhooks } from './purge-webhooks.ts';
export { webhookMetrics } from './webhook-metrics.ts';
export { webhookRoutes } from './webhook-routes.ts';
