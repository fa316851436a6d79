/** Checks the webhooks of the card provider. */
import type Stripe from 'stripe';
import { AppError } from '../../base/errors.ts';
import { sealed } from '../../base/sealed-columns.ts';
import type { SecretBox } from '../../base/secret-box.ts';
import { loadStripe } from './card-client.ts';
import type { Channel } from '../index.ts';

/** A webhook whose signature is valid. It says what to look up, not what is true (D-103). */
export interface CardEvent {
  id: string;
  type: string;
  session_id: string | null;
  attempt_id: string | null;
  order_no: string | null;
  merchant_id: string | null;
}

/** How far the time of a signature may be from now, in both directions (R-226, D-106). */
const tolerance_s = 300;

/**
 * Checks the signature of a webhook over its raw body, and reads it.
 *
 * @param now real time, which tells the secrets that are valid
 * @throws AppError `invalid_request` that says what is wrong: the signature, its time or the body (D-660)
 */
export async function verifyCardWebhook(
  box: SecretBox,
  channel: Channel,
  { body, signature }: { body: Buffer; signature: string },
  now: Date,
): Promise<CardEvent> {
  const { webhooks } = await loadStripe();
  const isSigned = webhookSecrets(channel, box, now).some((secret) => {
    try {
      // 0 is no tolerance: that of the library holds for the past only.
      return webhooks.signature?.verifyHeader(body, signature, secret, 0) === true;
    } catch {
      return false;
    }
  });
  if (!isSigned) throw refused('The signature is wrong.');
  // Of several times the last one is signed.
  const signed_s = parseInt(
    signature
      .split(',')
      .findLast((part) => part.startsWith('t='))
      ?.slice(2) ?? '',
    10,
  );
  // A time that is no number is refused, too.
  if (!(Math.abs(now.getTime() / 1_000 - signed_s) <= tolerance_s)) {
    throw refused('The signature is of another time than now, by more than five minutes.');
  }
  return eventFrom(body);
}

const refused = (description: string): AppError => new AppError('invalid_request', { description });

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

/**
 * Whether a value can be a name that the provider gives: 1 to 255 printable characters of ASCII. A member of a webhook that
 * is no name is not followed, because the database could not store or index it (D-671).
 */
export const isProviderName = (value: unknown): value is string =>
  typeof value === 'string' && /^[\x21-\x7e]{1,255}$/.test(value);

function eventFrom(body: Buffer): CardEvent {
  let event: Partial<Stripe.Event> | null;
  try {
    event = JSON.parse(body.toString('utf8')) as Partial<Stripe.Event> | null;
  } catch {
    throw refused('The signature is right, but the body is no JSON.');
  }
  const object = (event?.data?.object ?? undefined) as Partial<Stripe.Checkout.Session> | undefined;
  if (!isProviderName(event?.id) || !isProviderName(event.type) || typeof object !== 'object') {
    throw refused('The signature is right, but the body is no event with id, type and data.object.');
  }
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
