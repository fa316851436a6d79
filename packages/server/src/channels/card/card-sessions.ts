/** The card provider's checkout sessions and payments, in our terms. */
import type { DeclineReason } from '@paydesk/contract';
import type Stripe from 'stripe';
import { answered, type CardClients, type Lookup, type Unanswered, unanswered } from './card-client.ts';
import type { Channel } from '../index.ts';
import { declineReason } from './declines.ts';
import { type PaidWith, paidWith } from './paid-with.ts';

/** A checkout session as the provider reports it. */
export interface CardSession {
  id: string;
  url: string | null;
  status: 'open' | 'complete' | 'expired' | null;
  paid: boolean;
  /** Minor units; null where the provider sends no safe integer. */
  amount: bigint | null;
  /** Upper case. */
  currency: string | null;
  /** Our id of the attempt that it was created for. */
  reference: string | null;
  order_no: string | null;
  /** The merchant that the metadata names. */
  merchant_id: string | null;
  /** Whether live or test mode fits the channel's key, and a test channel has no live session. */
  mode_matches: boolean;
  /** Whether it moves real money. */
  livemode: boolean;
  /** The provider's payment; null until there is one. */
  payment_id: string | null;
  /** When it was made, by the provider's clock; Unix seconds. */
  created: number;
}

/** The provider's number of the payment: the payment id, or the session id if there is none (D-053). */
export const tradeNo = (session: Pick<CardSession, 'id' | 'payment_id'>): string =>
  session.payment_id ?? session.id;

/** A payment as the provider reports it. */
export interface CardPayment {
  state: 'succeeded' | 'failed' | 'pending';
  /** When it was charged, by the provider's clock (D-112); Unix seconds. */
  paid_at: number;
  /** Null where the provider does not tell. */
  paid_with: PaidWith | null;
  /** Why the latest try was declined; null if none was. */
  declined: DeclineReason | null;
}

/** What a session says about its collection order, so that a restored database can make it again. All are texts. */
export interface CollectionRecovery {
  idempotency_key: string;
  external_reference: string;
  /** The invoice, not what the buyer pays. */
  amount_minor: string;
  currency: string;
}

/** What a session says about its catalog order. All members are texts and ids of Paydesk: nothing personal. */
export interface CatalogRecovery {
  gd_no: string;
  quantity: string;
  user_id: string;
  client_id: string;
  /** Of all items, before the discount and without the buyer's fee. */
  total_minor: string;
  discount_minor: string;
  currency: string;
}

/** What a session says about its order, so that a restored database can make the order again. */
export type OrderRecovery = CollectionRecovery | CatalogRecovery;

/** The parameters of a session. A retry must repeat all of them exactly. */
export interface NewCardSession {
  attempt_id: string;
  order_no: string;
  merchant_id: string;
  title: string;
  /** Kept in the metadata; absent for an order that cannot be made again. */
  recovery?: OrderRecovery;
  amount: bigint;
  currency: string;
  success_url: string;
  cancel_url: string;
  expires_at: number;
  /** The language of the provider's page. Absent: the language of the browser. */
  locale?: string;
  /** The only methods to offer. Absent: all of the account. */
  payment_method_types?: readonly string[];
}

/** How a creation ended. Only a well-formed refusal is definite; any other failure is unclear (D-091). */
export type SessionCreation = { kind: 'created'; session: CardSession } | Unanswered;

/** Checkout sessions and their payments. */
export interface CardSessions {
  /**
   * Creates a session. All retries for one attempt carry one idempotency key, so the provider creates one session
   * (R-236).
   */
  createSession(channel: Channel, session: NewCardSession): Promise<SessionCreation>;
  session(channel: Channel, session_id: string): Promise<Lookup<CardSession>>;
  /** Finds a session by our reference among those that were created between two times, in Unix seconds. */
  findSession(channel: Channel, attempt_id: string, from: number, to: number): Promise<Lookup<CardSession>>;
  /** The session that a payment was made through. */
  sessionOfPayment(channel: Channel, payment_id: string): Promise<Lookup<CardSession>>;
  /** Closes an open session; `refused` where it is no longer open, such as while its payment is under way (D-101). */
  expireSession(channel: Channel, session_id: string): Promise<'closed' | 'refused' | 'failed'>;
  payment(channel: Channel, payment_id: string): Promise<Lookup<CardPayment>>;
}

export function cardSessions({ ask, lookup }: CardClients): CardSessions {
  return {
    createSession: (channel, session) =>
      answered(async () => {
        const created = await ask(channel, (client) =>
          client.checkout.sessions.create(paramsOf(session), {
            idempotencyKey: /* guard: one-session-for-each-attempt = `${Math.random()}` */ `att_${session.attempt_id}`,
          }),
        );
        return { kind: 'created', session: sessionFrom(channel, created) };
      }),

    session: (channel, session_id) =>
      lookup(async () =>
        sessionFrom(channel, await ask(channel, (client) => client.checkout.sessions.retrieve(session_id))),
      ),

    findSession: (channel, attempt_id, from, to) =>
      lookup(async () => {
        let starting_after: string | undefined;
        for (;;) {
          // The time limit holds for each page, because an account may have many sessions.
          const page = await ask(channel, (client) =>
            client.checkout.sessions.list({
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

    sessionOfPayment: (channel, payment_id) =>
      lookup(async () => {
        const { data } = await ask(channel, (client) =>
          client.checkout.sessions.list({ payment_intent: payment_id, limit: 1 }),
        );
        return data[0] === undefined ? null : sessionFrom(channel, data[0]);
      }),

    async expireSession(channel, session_id) {
      try {
        await ask(channel, (client) => client.checkout.sessions.expire(session_id));
        return 'closed';
      } catch (error) {
        return unanswered(error).kind === 'refused' ? 'refused' : 'failed';
      }
    },

    payment: (channel, payment_id) =>
      lookup(async () => {
        const { status, latest_charge, created, last_payment_error } = await ask(channel, (client) =>
          client.paymentIntents.retrieve(payment_id, { expand: ['latest_charge'] }),
        );
        const charge = typeof latest_charge === 'object' ? latest_charge : null;
        const failed = status === 'canceled' || status === 'requires_payment_method';
        return {
          state: status === 'succeeded' ? 'succeeded' : failed ? 'failed' : 'pending',
          paid_at: charge?.created ?? created,
          paid_with: paidWith(charge?.payment_method_details),
          declined: declineReason(last_payment_error),
        };
      }),
  };
}

function paramsOf(session: NewCardSession): Stripe.Checkout.SessionCreateParams {
  return {
    mode: 'payment',
    client_reference_id: session.attempt_id,
    metadata: {
      order_no: session.order_no,
      merchant_id: session.merchant_id,
      ...session.recovery,
    },
    line_items: [
      {
        quantity: 1,
        price_data: {
          currency: session.currency.toLowerCase(),
          // Sent as text of the integer, so that it never becomes a floating-point number.
          unit_amount: session.amount.toString() as unknown as number,
          product_data: { name: session.title },
        },
      },
    ],
    success_url: session.success_url,
    cancel_url: session.cancel_url,
    expires_at: session.expires_at,
    ...(session.locale === undefined ? {} : { locale: session.locale }),
    ...methodParams(session.payment_method_types),
  };
}

/**
 * The list is a filter: the provider leaves out methods that the account has not activated or that cannot pay this
 * session.
 */
function methodParams(
  types: readonly string[] | undefined,
): Pick<Stripe.Checkout.SessionCreateParams, 'allowed_payment_method_types' | 'payment_method_options'> {
  if (types === undefined) return {};
  return {
    allowed_payment_method_types: [...types],
    ...(types.includes('wechat_pay') ? { payment_method_options: { wechat_pay: { client: 'web' } } } : {}),
  };
}

/** The languages with another name at the provider. Its page has no Arabic: there the language of the browser counts. */
const otherLocales: Readonly<Record<string, string>> = { 'zh-Hans': 'zh', ar: 'auto' };

/** The provider's name for a language of the checkout (D-261). */
export const providerLocale = (tag: string): string => otherLocales[tag] ?? tag;

const statuses = ['open', 'complete', 'expired'] as const;

/** A name that a session carries. The owner of the account can write it. Names by Paydesk have no control characters. */
const nameOf = (text: string | null | undefined): string | null =>
  typeof text === 'string' && !/\p{Cc}/u.test(text) ? text : null;

export function sessionFrom(channel: Channel, session: Partial<Stripe.Checkout.Session>): CardSession {
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
    reference: nameOf(session.client_reference_id),
    order_no: nameOf(session.metadata?.order_no),
    merchant_id: nameOf(session.metadata?.merchant_id),
    mode_matches: livemode === channel.live_key && !(channel.test_mode && livemode),
    livemode,
    payment_id: typeof payment_intent === 'string' ? payment_intent : (payment_intent?.id ?? null),
    created: session.created ?? 0,
  };
}
