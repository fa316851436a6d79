/** What the checkout's routes work with, and how they limit what one address may ask. */
import type { FastifyRequest } from 'fastify';
import type { CollectionDeps } from '../../collection/orders/index.ts';
import type { FindLogo } from '../../merchants/index.ts';
import type { PaymentDeps } from '../../payments/engine/index.ts';
import type { LogoUrl } from '../logos/logo-url.ts';

/** The person whose session came with a request. Signing in does not bind the order to the person (D-122). */
export interface CheckoutVisitor {
  user_id: string;
  name: string;
}

export interface CheckoutDeps extends CollectionDeps {
  payments: PaymentDeps;
  /** Throws `rate_limited` or `rate_limit_unavailable`. */
  limiter: { take(group: 'checkout_read' | 'checkout_start', key: string): Promise<void> };
  findLogo: FindLogo;
  logoUrl: LogoUrl;
  /** The person who is signed in, by the request's `Cookie` header. */
  sessionUser: (cookies: string | undefined) => Promise<CheckoutVisitor | null>;
  /** Called when an order may have been paid: its codes are handed out without waiting for the next pass. */
  wakeFulfilment: () => void;
}

/** A request about one order. */
export type RequestForOrder = FastifyRequest<{ Params: { order_no: string } }>;

/** Counts a request before anything else is done for it. */
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
