/** The request that creates an order, and the order that it creates. */
import { randomBytes } from 'node:crypto';
import type { Caller } from './callers.ts';
import type { RequestTemplate } from '../load/plan.ts';

/** A created order and its caller. */
export interface Order {
  order_no: string;
  checkout_token: string;
  caller: Caller;
}

/** Creates an order with all members that a shop usually sends. */
export const creation: RequestTemplate = {
  method: 'POST',
  path: '/openapi/v1/merchant-payments',
  headers: { authorization: 'Bearer {0}', 'content-type': 'application/json' },
  body: JSON.stringify({
    external_reference: '{1}',
    idempotency_key: '{2}',
    amount: '10.00',
    currency: 'USD',
    description: 'Two tickets for Saturday',
    expires_in: 7_200,
    return_url: 'https://shop.example/orders/{1}',
  }),
};

const code = (): string => randomBytes(16).toString('hex');

/** A row for `creation`. */
export const creationRow = ({ token }: Caller): string[] => [token, code(), code()];

/** The members of an answer that make an `Order`. */
export const keptMembers = ['order_no', 'checkout_url'];

export function orderOf(kept: readonly string[], caller: Caller): Order {
  const [order_no = '', checkout_url = ''] = kept;
  return { order_no, checkout_token: new URL(checkout_url).searchParams.get('token') ?? '', caller };
}
