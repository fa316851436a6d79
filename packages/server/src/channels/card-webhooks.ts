/** Checks the webhooks of the card provider. */
import type Stripe from 'stripe';
import { sealed } from '../base/sealed-columns.ts';
import type { SecretBox } from '../base/secret-box.ts';
import { loadStripe } from './card-client.ts';
import type { Channel } from './channel.ts';

/** A webhook whose signature is valid. It says what to look up, not what is true (D-103). */
export interface CardEvent {
  id: string;
  type: string;
  session_id: string | null;
  attempt_id: string | null;
  order_no: string | null;
  merchant_id: string | null;
}

/** Maximum age of a signature. */
const webhookTolerance_s = 300;

/**
 * Checks the signature of a webhook over its raw body.
 *
 * @returns null where it is valid under none of the secrets that are valid at `now`
 */
export async function verifyCardWebhook(
  box: SecretBox,
  channel: Channel,
  { body, signature }: { body: Buffer; signature: string },
  now: Date,
): Promise<CardEvent | null> {
  const { webhooks } = await loadStripe();
  for (const secret of webhookSecrets(channel, box, now)) {
    try {
      return eventFrom(webhooks.constructEvent(body, signature, secret, webhookTolerance_s));
    } catch {
      // Not signed with this secret: the next one is tried.
    }
  }
  return null;
}

/** The current secret, and the previous one while it is valid (D-110). */
function webhookSecrets(channel: Channel, box: SecretBox, now: Date): string[] {
  const { webhook_secret_box, previous_webhook_secret_box, previous_webhook_valid_until } = channel;
  const secrets =
    webhook_secret_box === null ? [] : [box.open(webhook_secret_box, sealed.webhookSecret.row(channel))];
  if (previous_webhook_secret_box !== null && (previous_webhook_valid_until ?? now) > now) {
    secrets.push(box.open(previous_webhook_secret_box, sealed.previousWebhookSecret.row(channel)));
  }
  return secrets;
}

function eventFrom(event: Stripe.Event): CardEvent {
  const object = event.data.object as Partial<Stripe.Checkout.Session>;
  const isSession = object.object === 'checkout.session';
  return {
    id: event.id,
    type: event.type,
    session_id: isSession ? (object.id ?? null) : null,
    attempt_id: isSession ? (object.client_reference_id ?? null) : null,
    order_no: object.metadata?.order_no ?? null,
    merchant_id: object.metadata?.merchant_id ?? null,
  };
}
