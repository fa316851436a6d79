import { AppError } from '../../base/errors.ts';
import { sealed } from '../../base/sealed-columns.ts';
import { traceparentNow } from '../../base/tracing/tracing.ts';
import type { PaymentDeps } from '../engine/index.ts';
import { insertWebhook } from './webhook.sql.ts';

/**
 * Receives a webhook (R-226, D-106, H-26) at the address of its channel (D-110): checks the signature over the raw
 * bytes, then stores the webhook. The caller acknowledges it only after that, so no acknowledged webhook is lost. A
 * webhook for an unknown session is stored too (R-232, D-107), and a repeated one is stored once. One round
 * trip.
 *
 * @throws AppError `not_found` if the address is unknown, `invalid_request` if the signature, its time or the body is wrong
 */
export async function receiveCardWebhook(
  deps: PaymentDeps,
  webhook_key: string,
  body: Buffer,
  signature: string | undefined,
): Promise<void> {
  const real = deps.clock.real();
  const channel = await deps.channels.byWebhookKey(webhook_key);
  if (channel === null) throw new AppError('not_found');
  const event = await deps.cards.verifyWebhook(channel, body, signature ?? '', real);
  const now = deps.clock.now();
  const named = { payment_no: channel.payment_no, provider_event_id: event.id };
  await insertWebhook(
    deps.db,
    {
      ...named,
      type: event.type,
      // Kept encrypted, for 90 days (D-193).
      body_box: deps.box.seal(body.toString('utf8'), sealed.webhookBody.row(named)),
      received_at: now,
      tries: 0,
      traceparent: traceparentNow(),
    },
    now,
  );
}
