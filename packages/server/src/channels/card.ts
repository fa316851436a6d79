import Stripe from 'stripe';
import type { SecretBox } from '../base/secret-box.ts';
import type { Channel } from './channel.ts';

/** A checkout session as the provider reports it, in our terms. */
export interface CardSession {
  id: string;
  url: string | null;
  status: 'open' | 'complete' | 'expired' | null;
  paid: boolean;
  /** Minor units; null where the provider's number is none. */
  amount: bigint | null;
  /** Upper case. */
  currency: string | null;
  /** The attempt it was created for, as we named it. */
  reference: string | null;
  order_no: string | null;
  /** Whether it moves real money exactly where the channel's key says so, and never on a test channel. */
  mode_matches: boolean;
  /** The provider's payment, once there is one. */
  payment_id: string | null;
}

/** A payment as the provider reports it. */
export interface CardPayment {
  state: 'succeeded' | 'failed' | 'pending';
  /** When it was charged; Unix seconds. */
  paid_at: number;
}

/** What to create; everything that a retry must repeat to the letter. */
export interface NewSession {
  attempt_id: string;
  order_no: string;
  merchant_id: string;
  title: string;
  amount: bigint;
  currency: string;
  success_url: string;
  cancel_url: string;
  expires_at: number;
}

/** How a creation ended: only a well-formed refusal is one; all else leaves the result unclear (D-091). */
export type Creation =
  | { kind: 'created'; session: CardSession }
  | { kind: 'refused'; reason: string }
  | { kind: 'unclear'; reason: string };

/** How a look-up ended. */
export type Lookup<T> = { kind: 'found'; value: T } | { kind: 'none' } | { kind: 'failed'; reason: string };

/** The card provider, spoken to through its official package. Every call waits at most 8 seconds. */
export interface CardProvider {
  createSession(channel: Channel, session: NewSession): Promise<Creation>;
  session(channel: Channel, session_id: string): Promise<Lookup<CardSession>>;
  /** Finds a session by our reference among those created in a span of Unix seconds. */
  findSession(channel: Channel, attempt_id: string, from: number, to: number): Promise<Lookup<CardSession>>;
  /** Asks to close an open session; `refused` where it is no longer open. */
  expireSession(channel: Channel, session_id: string): Promise<'closed' | 'refused' | 'failed'>;
  payment(channel: Channel, payment_id: string): Promise<Lookup<CardPayment>>;
  /**
   * Checks a webhook's signature over the raw body.
   *
   * @returns null where it does not hold under any secret that is valid at `now`
   */
  verifyWebhook(channel: Channel, body: Buffer, signature: string, now: Date): CardEvent | null;
}

/** A webhook, checked; it says where to look, not what is true (D-103). */
export interface CardEvent {
  id: string;
  type: string;
  session_id: string | null;
  attempt_id: string | null;
  order_no: string | null;
  merchant_id: string | null;
}

const timeout_ms = 8_000;
const webhookTolerance_s = 300;

type HttpClient = ReturnType<typeof Stripe.createNodeHttpClient>;

/**
 * Even without retries the package asks a second time where a connection was closed. A refusal would then look
 * like the first answer and unlock the method, though the first call may have been carried out: it is
 * kept from recognising these errors.
 */
function onceOnly(client: HttpClient): HttpClient {
  const makeRequest = client.makeRequest.bind(client);
  client.makeRequest = (...args) =>
    makeRequest(...args).catch((error: unknown) => {
      const { code } = error as { code?: unknown };
      throw code === 'ECONNRESET' || code === 'EPIPE'
        ? new Error('the connection was closed', { cause: error })
        : error;
    });
  return client;
}

export function createCardProvider(box: SecretBox): CardProvider {
  const clients = new Map<string, Stripe>();

  function clientOf(channel: Channel): Stripe {
    const { api_base, secret_key_box } = channel;
    if (secret_key_box === null) throw new Error(`channel ${channel.payment_no} has no key`);
    const name = `${api_base} ${secret_key_box.toString('base64')}`;
    let client = clients.get(name);
    if (client === undefined) {
      const url = new URL(api_base);
      client = new Stripe(box.open(secret_key_box), {
        host: url.hostname,
        port: url.port === '' ? (url.protocol === 'https:' ? 443 : 80) : url.port,
        protocol: url.protocol === 'http:' ? 'http' : 'https',
        timeout: timeout_ms,
        // Retries are ours, under the same key, so that nothing is asked for behind our back.
        maxNetworkRetries: 0,
        httpClient: onceOnly(Stripe.createNodeHttpClient()),
        telemetry: false,
      });
      clients.set(name, client);
    }
    return client;
  }

  return {
    async createSession(channel, session) {
      try {
        const created = await withinTime(
          clientOf(channel).checkout.sessions.create(paramsOf(session), {
            idempotencyKey: `att_${session.attempt_id}`,
          }),
        );
        return { kind: 'created', session: sessionFrom(channel, created) };
      } catch (error) {
        return isRefusal(error)
          ? { kind: 'refused', reason: reasonOf(error) }
          : { kind: 'unclear', reason: reasonOf(error) };
      }
    },

    session: (channel, session_id) =>
      lookup(async () =>
        sessionFrom(channel, await clientOf(channel).checkout.sessions.retrieve(session_id)),
      ),

    findSession: (channel, attempt_id, from, to) =>
      lookup(async () => {
        let starting_after: string | undefined;
        for (;;) {
          const page = await clientOf(channel).checkout.sessions.list({
            created: { gte: from, lte: to },
            limit: 100,
            ...(starting_after === undefined ? {} : { starting_after }),
          });
          const found = page.data.find((session) => session.client_reference_id === attempt_id);
          if (found !== undefined) return sessionFrom(channel, found);
          starting_after = page.data.at(-1)?.id;
          if (!page.has_more || starting_after === undefined) return null;
        }
      }),

    async expireSession(channel, session_id) {
      try {
        await withinTime(clientOf(channel).checkout.sessions.expire(session_id));
        return 'closed';
      } catch (error) {
        return isRefusal(error) ? 'refused' : 'failed';
      }
    },

    payment: (channel, payment_id) =>
      lookup(async () => {
        const { status, latest_charge, created } = await clientOf(channel).paymentIntents.retrieve(
          payment_id,
          {
            expand: ['latest_charge'],
          },
        );
        const charge = typeof latest_charge === 'object' ? latest_charge : null;
        const failed = status === 'canceled' || status === 'requires_payment_method';
        return {
          state: status === 'succeeded' ? 'succeeded' : failed ? 'failed' : 'pending',
          paid_at: charge?.created ?? created,
        };
      }),

    verifyWebhook(channel, body, signature, now) {
      for (const secret of webhookSecrets(channel, box, now)) {
        try {
          return eventFrom(Stripe.webhooks.constructEvent(body, signature, secret, webhookTolerance_s));
        } catch {
          // Signed with the other secret, or not at all: the loop decides.
        }
      }
      return null;
    },
  };
}

function webhookSecrets(channel: Channel, box: SecretBox, now: Date): string[] {
  const { webhook_secret_box, previous_webhook_secret_box, previous_webhook_valid_until } = channel;
  const secrets = webhook_secret_box === null ? [] : [box.open(webhook_secret_box)];
  if (previous_webhook_secret_box !== null && (previous_webhook_valid_until ?? now) > now) {
    secrets.push(box.open(previous_webhook_secret_box));
  }
  return secrets;
}

function paramsOf(session: NewSession): Stripe.Checkout.SessionCreateParams {
  return {
    mode: 'payment',
    client_reference_id: session.attempt_id,
    metadata: { order_no: session.order_no, merchant_id: session.merchant_id },
    line_items: [
      {
        quantity: 1,
        price_data: {
          currency: session.currency.toLowerCase(),
          // The wire carries text: written from the integer itself, it never becomes a double.
          unit_amount: session.amount.toString() as unknown as number,
          product_data: { name: session.title },
        },
      },
    ],
    success_url: session.success_url,
    cancel_url: session.cancel_url,
    expires_at: session.expires_at,
  };
}

const statuses = ['open', 'complete', 'expired'] as const;

function sessionFrom(channel: Channel, session: Partial<Stripe.Checkout.Session>): CardSession {
  if (typeof session.id !== 'string' || typeof session.livemode !== 'boolean') {
    throw new TypeError('not a checkout session');
  }
  const { amount_total, payment_intent, livemode } = session;
  return {
    id: session.id,
    url: session.url ?? null,
    status: statuses.find((status) => status === session.status) ?? null,
    paid: session.payment_status === 'paid',
    amount: Number.isSafeInteger(amount_total) ? BigInt(amount_total ?? 0) : null,
    currency: session.currency?.toUpperCase() ?? null,
    reference: session.client_reference_id ?? null,
    order_no: session.metadata?.order_no ?? null,
    mode_matches: livemode === channel.live_key && !(channel.test_mode && livemode),
    payment_id: typeof payment_intent === 'string' ? payment_intent : (payment_intent?.id ?? null),
  };
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

async function lookup<T>(ask: () => Promise<T | null>): Promise<Lookup<T>> {
  try {
    const value = await withinTime(ask());
    return value === null ? { kind: 'none' } : { kind: 'found', value };
  } catch (error) {
    const missing = error instanceof Stripe.errors.StripeError && error.statusCode === 404;
    return missing ? { kind: 'none' } : { kind: 'failed', reason: reasonOf(error) };
  }
}

const unclearStatuses = new Set([408, 409, 425, 429]);

/** A definite refusal: 4xx with the provider's own error object, but for those that ask to try again (D-091). */
function isRefusal(error: unknown): boolean {
  if (!(error instanceof Stripe.errors.StripeError)) return false;
  const { statusCode, rawType } = error;
  return (
    statusCode !== undefined &&
    statusCode >= 400 &&
    statusCode < 500 &&
    !unclearStatuses.has(statusCode) &&
    typeof rawType === 'string'
  );
}

/** Why, in a few words fit for an operator; never a key, never a body. */
function reasonOf(error: unknown): string {
  if (error instanceof Stripe.errors.StripeError) {
    return [error.type, error.statusCode, error.code, error.param].filter(Boolean).join(' ');
  }
  return error instanceof Error ? error.name : 'error';
}

class ProviderTimeout extends Error {
  override name = 'timeout';
}

/** The package's own timeout restarts with every byte; this one does not. */
async function withinTime<T>(answer: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      reject(new ProviderTimeout());
    }, timeout_ms + 200);
  });
  try {
    return await Promise.race([answer, timeout]);
  } finally {
    clearTimeout(timer);
  }
}
