/** Rate limits of the checkout for each address. A request is counted before anything else is done for it. */
import type { FastifyRequest } from 'fastify';
import type { CheckoutDeps } from './deps.ts';

type LimitHook = (request: FastifyRequest) => Promise<void>;

/** At most 180 reads a minute for one address. */
export const limitReads =
  ({ limiter }: Pick<CheckoutDeps, 'limiter'>): LimitHook =>
  (request) =>
    limiter.take('checkout_read', request.client_ip);

/** At most 30 starts of a payment a minute for one address. */
export const limitStarts =
  ({ limiter }: Pick<CheckoutDeps, 'limiter'>): LimitHook =>
  (request) =>
    limiter.take('checkout_start', request.client_ip);
