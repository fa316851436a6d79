import { randomBytes } from 'node:crypto';
import type { Caller } from './callers.ts';
import type { RequestTemplate } from '../load/plan.ts';

/** A created order and who made it. */
export interface Order {
  order_no: string;
  checkout_token: string;
  caller: Caller;
}

/** Creates an order: a usual request with everything a shop sends. */
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

/** The members that `creation` asks for, by caller. */
export const creationRow = ({ token }: Caller): string[] => [token, code(), code()];

/** What to keep of an answer to make an `Order` of it. */
export const keptOfOrder = ['order_no', 'checkout_url'];

export function orderOf(kept: readonly string[], caller: Caller): Order {
  const [order_no = '', checkout_url = ''] = kept;
  return { order_no, checkout_token: new URL(checkout_url).searchParams.get('token') ?? '', caller };
}
