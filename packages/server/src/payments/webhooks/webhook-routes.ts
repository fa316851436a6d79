import type { FastifyInstance } from 'fastify';
import { AppError } from '../../base/errors.ts';
import { receiveCardWebhook } from './receive-webhook.ts';
import type { PaymentDeps } from '../engine/index.ts';
import type { WebhookMetrics, WebhookOutcome } from './webhook-metrics.ts';

/**
 * The address for webhooks of card providers. The signature is the only credential. The answer acknowledges a webhook
 * only after it is stored (D-106, H-26).
 */
export function webhookRoutes(
  app: FastifyInstance,
  deps: PaymentDeps & { metrics: WebhookMetrics },
  wake: () => void,
): void {
  app.post<{ Params: { channel_key: string } }>(
    '/webhooks/cardprov/:channel_key',
    { config: { body: 'raw' } },
    async (request) => {
      const signature = request.headers['stripe-signature'];
      const body = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0);
      try {
        await receiveCardWebhook(
          deps,
          request.params.channel_key,
          body,
          typeof signature === 'string' ? signature : undefined,
        );
      } catch (error) {
        deps.metrics.countReceived(outcomeOf(error));
        throw error;
      }
      deps.metrics.countReceived('stored');
      wake();
      return { received: true };
    },
  );
}

function outcomeOf(error: unknown): WebhookOutcome {
  if (!(error instanceof AppError)) return 'failed';
  return error.code === 'not_found' ? 'unknown_channel' : 'refused';
}
