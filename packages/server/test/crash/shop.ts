import type { Cardsim } from '@paydesk/cardsim';
import { fromAnywhere } from '../support/desks/platform.ts';
import { type Answer, ask, type Json } from './ask.ts';
import type { Inbox } from './inbox.ts';
import type { OrderRecord } from './order-record.ts';
import type { Paydesk } from './paydesk.ts';
import type { Buyer, Platform } from './platform.ts';
import type { PurchaseRecord } from './purchase-record.ts';
import type { Product } from './shelf.ts';

/** Everything the shoppers of a run share. */
export interface Shop {
  paydesk: Paydesk;
  platform: Platform;
  cardsim: Cardsim;
  inbox: Inbox;
  /** The orders of this round. */
  records: OrderRecord[];
  /** The catalog products of this round. */
  shelf: readonly Product[];
  /** The purchases and tried purchases. */
  purchases: PurchaseRecord[];
  /** Buyers who come back to a payment whose start was cut off, until they get an answer. */
  returning: Set<Promise<void>>;
  /** Broken promises. */
  problems: string[];
  counts: { lost_creations: number; lost_starts: number; lost_reads: number; repeated_calls: number };
  /** Set when shoppers must begin no more orders. */
  closed: boolean;
}

/** One call of the merchant's server, by the next client below its limits. Null: no answer. */
export async function merchantCall<T = Json>(
  { paydesk, platform }: Pick<Shop, 'paydesk' | 'platform'>,
  method: string,
  path: string,
  body?: unknown,
): Promise<Answer<T> | null> {
  for (;;) {
    for (let tries = 0; tries < platform.clients.length; tries++) {
      const client = platform.clients.shift();
      if (client === undefined) throw new Error('a merchant without clients');
      platform.clients.push(client);
      const answer = await ask<T>(`${paydesk.url}/openapi/v1${path}`, method, {
        headers: { authorization: `Bearer ${client.token}` },
        ...(body === undefined ? {} : { body }),
      });
      if (answer?.status !== 429) return answer;
    }
    // All clients have used up their minute.
    await new Promise((resolve) => setTimeout(resolve, 1_000));
  }
}

/**
 * One call about catalog orders by a buyer's program, within its limit. Null: no answer.
 *
 * @param path below the path of the orders
 */
export async function buyerCall<T = Json>(
  { paydesk, platform }: Pick<Shop, 'paydesk' | 'platform'>,
  { buyer_user_id }: Pick<PurchaseRecord, 'buyer_user_id'>,
  method: string,
  path: string,
  body?: unknown,
): Promise<Answer<T> | null> {
  const authorization = `Bearer ${buyerOf(platform, buyer_user_id)?.token ?? ''}`;
  for (;;) {
    const answer = await ask<T>(`${paydesk.url}/openapi/v1/orders${path}`, method, {
      headers: { authorization },
      ...(body === undefined ? {} : { body }),
    });
    if (answer?.status !== 429) return answer;
    await new Promise((resolve) => setTimeout(resolve, 1_000));
  }
}

/** One call of the merchant's console by its owner. Null: no answer. */
export function ownerCall<T = Json>(
  { paydesk: { url }, platform: { merchant_no, owner } }: Pick<Shop, 'paydesk' | 'platform'>,
  method: string,
  path: string,
  body?: unknown,
): Promise<Answer<T> | null> {
  return ask<T>(`${url}/console/v1/merchants/${merchant_no}${path}`, method, {
    headers: { cookie: owner.cookie, origin: url },
    ...(body === undefined ? {} : { body }),
  });
}

/** The page of a catalog order, as its buyer sees it. Null: no answer. */
export function orderPage(
  { paydesk: { url }, platform }: Pick<Shop, 'paydesk' | 'platform'>,
  { buyer_user_id }: Pick<PurchaseRecord, 'buyer_user_id'>,
  order_no: string,
): Promise<Answer | null> {
  const cookie = buyerOf(platform, buyer_user_id)?.cookie ?? '';
  return ask(`${url}/orders/${order_no}`, 'GET', { headers: { cookie, ...fromAnywhere() } });
}

const buyerOf = ({ buyers }: Platform, wanted: string | null): Buyer | undefined =>
  buyers.find(({ user_id }) => user_id === wanted);

/** One call of the checkout, from its own address. Null: no answer. */
export function checkoutCall<T = Json>(
  { paydesk: { url }, platform }: Shop,
  { order_no, checkout_token, buyer_user_id }: OrderRecord,
  method_id?: string,
): Promise<Answer<T> | null> {
  const buyer = buyerOf(platform, buyer_user_id);
  const headers = {
    'x-checkout-token': checkout_token,
    origin: url,
    ...fromAnywhere(),
    ...(buyer === undefined ? {} : { cookie: buyer.cookie }),
  };
  const path = `${url}/checkout/api/${order_no}`;
  return method_id === undefined
    ? ask<T>(path, 'GET', { headers })
    : ask<T>(`${path}/payments`, 'POST', { headers, body: { method_id } });
}

/**
 * Repeats a call until there is an answer other than `service_unavailable`, each time when the service runs again.
 *
 * @param lost receives each call without an answer
 * @throws if the run has failed
 */
export async function untilAnswered<T>(
  { paydesk: { door } }: Pick<Shop, 'paydesk'>,
  call: () => Promise<Answer<T> | null>,
  lost: () => void,
): Promise<Answer<T>> {
  for (;;) {
    await door.passed();
    const answer = await call();
    if (answer !== null && answer.status !== 503) return answer;
    lost();
    // Without this, a service that is about to be found dead would be asked in a busy loop.
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}
