import Stripe from 'stripe';
import type { SecretBox } from '../base/secret-box.ts';
import { cardClients, type Lookup, type Unanswered, unanswered } from './card-client.ts';
import { type CardLosses, cardLosses } from './card-losses.ts';
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
  /** Whether it moves real money at all. */
  livemode: boolean;
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
export type Creation = { kind: 'created'; session: CardSession } | Unanswered;

/** The card provider, spoken to through its official package. Every call is given up in time. */
export interface CardProvider extends CardLosses {
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

const webhookTolerance_s = 300;

/** How long a call may take; a stopping process is done with it in 10 s (H-24). */
const usualTimeout_ms = 8_000;

export function createCardProvider(box: SecretBox, timeout_ms = usualTimeout_ms): CardProvider {
  const clients = cardClients(box, timeout_ms);
  const { lookup, withinTime } = clients;
  return {
    ...cardLosses(clients),

    async createSession(channel, session) {
      try {
        const created = await withinTime(
          clients.of(channel).checkout.sessions.create(paramsOf(session), {
            idempotencyKey: /* guard: one-session-for-each-attempt = `${Math.random()}` */ `att_${session.attempt_id}`,
          }),
        );
        return { kind: 'created', session: sessionFrom(channel, created) };
      } catch (error) {
        return unanswered(error);
      }
    },

    session: (channel, session_id) =>
      lookup(async () =>
        sessionFrom(channel, await withinTime(clients.of(channel).checkout.sessions.retrieve(session_id))),
      ),

    findSession: (channel, attempt_id, from, to) =>
      lookup(async () => {
        let starting_after: string | undefined;
        for (;;) {
          // Each page in time, not all of them: an account may have many sessions.
          const page = await withinTime(
            clients.of(channel).checkout.sessions.list({
              created: { gte: from, lte: to },
              limit: 100,
              ...(starting_after === undefined ? {} : { starting_after }),
            }),
          );
          const found = page.data.find((session) => session.client_reference_id === attempt_id);
          if (found !== undefined) return sessionFrom(channel, found);
          starting_after = page.data.at(-1)?.id;
          if (!page.has_more || starting_after === undefined) return null;
        }
      }),

    async expireSession(channel, session_id) {
      try {
        await withinTime(clients.of(channel).checkout.sessions.expire(session_id));
        return 'closed';
      } catch (error) {
        return unanswered(error).kind === 'refused' ? 'refused' : 'failed';
      }
    },

    payment: (channel, payment_id) =>
      lookup(async () => {
        const { status, latest_charge, created } = await withinTime(
          clients.of(channel).paymentIntents.retrieve(payment_id, { expand: ['latest_charge'] }),
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
    livemode,
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
