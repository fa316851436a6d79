/** What the routes of the checkout need. */
import type { FastifyRequest } from 'fastify';
import type { OpeningNotes } from '../../collection/openings/index.ts';
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
  limiter: {
    take(
      group:
        | 'checkout_read'
        | 'checkout_start'
        | 'create'
        | 'receipt_mail'
        | 'receipt_mail_address'
        | 'receipt_mailbox',
      key: string,
    ): Promise<void>;
  };
  /** Whether mail can be sent. */
  mail: boolean;
  /** Called when mail was queued. */
  onMail: () => void;
  findLogo: FindLogo;
  logoUrl: LogoUrl;
  /** The person who is signed in, by the request's `Cookie` header. */
  sessionUser: (cookies: string | undefined) => Promise<CheckoutVisitor | null>;
  /** Notes that a buyer has opened the page of an order. */
  noteOpening: OpeningNotes['note'];
  /** Called when an order may have been paid: its codes are handed out without waiting for the next pass. */
  wakeFulfilment: () => void;
}

/** Who is signed in where a request comes from. */
export const visitorOf =
  ({ sessionUser }: Pick<CheckoutDeps, 'sessionUser'>, { headers }: FastifyRequest) =>
  (): Promise<CheckoutVisitor | null> =>
    sessionUser(headers.cookie);

/** A request about one order. */
export type RequestForOrder = FastifyRequest<{ Params: { order_no: string } }>;
