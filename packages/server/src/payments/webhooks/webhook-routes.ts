import type { FastifyInstance, FastifyRequest } from 'fastify';
import { AppError } from '../../base/errors.ts';
import { receiveCardWebhook } from './receive-webhook.ts';
import type { PaymentDeps } from '../engine/index.ts';
import type { WebhookMetrics, WebhookOutcome } from './webhook-metrics.ts';

type ByKey = FastifyRequest<{ Params: { channel_key: string } }>;

/** Bytes of a dispute with the longest evidence (`mostCharacters`) in UTF-8, escaped (D-1075). */
const most_bytes = 1_000_000;

/**
 * The address for webhooks of card providers. The signature is the only credential. The answer acknowledges a webhook
 * only after it is stored (D-106, H-26). No body is read for an address that belongs to no channel.
 */
export function webhookRoutes(
  app: FastifyInstance,
  deps: PaymentDeps & { metrics: WebhookMetrics },
  wake: () => void,
): void {
  const demandChannel = async ({ params }: ByKey): Promise<void> => {
    if ((await deps.channels.byWebhookKey(params.channel_key)) !== null) return;
    deps.metrics.countReceived('unknown_channel');
    throw new AppError('not_found');
  };
  app.post(
    '/webhooks/cardprov/:channel_key',
    { onRequest: demandChannel, config: { body: 'raw', max_body_bytes: most_bytes } },
    async (request: ByKey) => {
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
