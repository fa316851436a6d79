import type { FastifyInstance } from 'fastify';
import { receiveCardWebhook } from './card-webhook.ts';
import type { PaymentDeps } from './deps.ts';

/** Where card providers report to: the signature is the only credential (H-26). */
export function webhookRoutes(app: FastifyInstance, deps: PaymentDeps, wake: () => void): void {
  app.post<{ Params: { channel_key: string } }>(
    '/webhooks/cardprov/:channel_key',
    { config: { body: 'raw' } },
    async (request) => {
      const signature = request.headers['stripe-signature'];
      const body = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0);
      await receiveCardWebhook(
        deps,
        request.params.channel_key,
        body,
        typeof signature === 'string' ? signature : undefined,
      );
      wake();
      return { received: true };
    },
  );
}
