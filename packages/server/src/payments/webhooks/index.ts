/** Webhooks of card providers: received, processed, retried, deleted. */
export { replayWebhook } from './replay-webhook.ts';
export {
  type GivenUpMark,
  type GivenUpWebhook,
  countGivenUpWebhooks,
  selectGivenUpWebhooks,
} from './given-up-webhook.sql.ts';
export { beginWebhooks, processCardWebhooks } from './process-webhooks.ts';
export { purgeOldWebhooks } from './purge-webhooks.ts';
export { webhookMetrics } from './webhook-metrics.ts';
export { webhookRoutes } from './webhook-routes.ts';
export { selectHeardChannels } from './webhook.sql.ts';
