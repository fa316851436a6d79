/** Makes one attempt to deliver an event to a webhook target. */
import type { StripeEvent, WebhookTarget } from '../records/records.ts';
import type { SimClock } from '../simulator/clock.ts';
import { signatureHeader } from './signature.ts';

/** One delivery attempt. `status` is the HTTP status of the receiver, or null with the reason in `error`. */
export type Delivery = {
  event_id: string;
  type: string;
  url: string;
  attempt: number;
  created: number;
  status: number | null;
  error: string | null;
};

/** Whether the receiver answered with 2xx. */
export const wasAccepted = ({ status }: Delivery): boolean =>
  status !== null && status >= 200 && status < 300;

/** Signs and posts the event. A failure is a delivery with `error`, not an exception. */
export async function postEvent(
  event: StripeEvent,
  target: WebhookTarget,
  attempt: { number: number; clock: SimClock; signal: AbortSignal },
): Promise<Delivery> {
  const { number, clock, signal } = attempt;
  // Indented as at the provider, so that a receiver fails if it serializes the body again before the check.
  const body = JSON.stringify(event, null, 2);
  const delivery: Delivery = {
    event_id: event.id,
    type: event.type,
    url: target.url,
    attempt: number,
    created: clock.seconds(),
    status: null,
    error: null,
  };
  try {
    const answer = await fetch(target.url, {
      method: 'POST',
      redirect: 'manual',
      headers: {
        'Content-Type': 'application/json; charset=utf-8',
        'User-Agent': 'paydesk-cardsim (webhooks)',
        'Stripe-Signature': signatureHeader(body, target.secret, clock.realSeconds()),
      },
      body,
      signal,
    });
    await answer.body?.cancel();
    delivery.status = answer.status;
  } catch (error) {
    delivery.error = reasonOf(error);
  }
  return delivery;
}

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause instanceof Error ? `${error.message}: ${error.cause.message}` : error.message;
}
