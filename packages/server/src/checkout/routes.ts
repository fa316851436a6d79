import type { FastifyInstance, FastifyRequest } from 'fastify';
import { AppError, invalid } from '../base/errors.ts';
import { isJsonObject, type JsonValue } from '../base/input/json.ts';
import { type CollectionDeps, type CollectionOrder, payableOrder } from '../collection/orders/index.ts';
import type { FindLogo } from '../merchants/index.ts';
import { watchOrders } from '../collection/watching/index.ts';
import type { PaymentDeps } from '../payments/engine/index.ts';
import { glanceAt, startPayment } from '../payments/card/index.ts';
import type { Limiter } from '../http/rate-limit.ts';
import { requireSameOrigin } from '../http/same-origin.ts';
import { eventRoutes } from './api/event-routes.ts';
import type { LogoUrl } from './logos/logo-url.ts';
import { logoRoutes } from './logos/logo-routes.ts';
import { claimedOf, openCheckout } from './link/open-checkout.ts';
import { pageRoutes } from './pages/checkout-page-routes.ts';
import { readCheckout, type Visitor } from './state/read-checkout.ts';

export interface CheckoutRoutesDeps extends CollectionDeps {
  payments: PaymentDeps;
  limiter: Limiter;
  findLogo: FindLogo;
  logoUrl: LogoUrl;
  /** Who is signed in, by the request's `Cookie` header. */
  sessionUser: (cookies: string | undefined) => Promise<Visitor | null>;
}

/** Counts a request before anything else is done for it. */
export type LimitHook = (request: FastifyRequest) => Promise<void>;

export type OrderRequest = FastifyRequest<{ Params: { order_no: string } }>;

/** The buyer's checkout: JSON for the page's script, and pages and forms for everyone (D-115). */
export function checkoutRoutes(app: FastifyInstance, deps: CheckoutRoutesDeps): void {
  const limitReads = (request: FastifyRequest) => deps.limiter.take('checkout_read', request.client_ip);
  const limitStarts = (request: FastifyRequest) => deps.limiter.take('checkout_start', request.client_ip);
  const byHeader = (request: OrderRequest): Promise<CollectionOrder> =>
    openCheckout(deps, request.params.order_no, headerToken(request));

  app.get('/checkout/api/:order_no', { onRequest: limitReads }, async (request: OrderRequest) => {
    const [order, visitor] = await Promise.all([byHeader(request), deps.sessionUser(request.headers.cookie)]);
    return readCheckout(deps, order, visitor);
  });

  app.post(
    '/checkout/api/:order_no/payments',
    { onRequest: limitStarts },
    async (request: OrderRequest, reply) => {
      refuseCrossSite(request);
      const { order_no } = request.params;
      const merchant_id = claimedOf(headerToken(request));
      const chosen = methodIn(request.body as JsonValue | undefined);
      // Asked for together: they leave in one round trip. Nothing of the glance counts before the token has been checked.
      const [order, visitor, method] = await Promise.all([
        byHeader(request),
        deps.sessionUser(request.headers.cookie),
        glanceAt(deps.payments, { merchant_id, order_no, method_id: chosen instanceof Error ? '' : chosen }),
      ]);
      if (chosen instanceof Error) throw chosen;
      const started = await startPayment(
        deps.payments,
        { merchant_id, order_no, method_id: chosen, user_id: visitor?.user_id ?? null },
        { order: payableOrder(order), method },
      );
      switch (started.kind) {
        case 'redirect':
          return { redirect_url: started.redirect_url };
        case 'paid':
          return { status: 'paid' };
        case 'pending':
          return reply.code(202).send({
            error: 'provider_result_pending',
            error_description: 'The payment channel has not answered yet. Keep this order; do not pay again.',
          });
      }
    },
  );

  logoRoutes(app, deps);
  pageRoutes(app, deps, { limitReads, limitStarts });
  eventRoutes(app, deps, { limitReads, watch: watchOrders(deps.db, deps.log) });
}

/** The script's way to show the token: a header that no other site can make a browser send (D-117). */
function headerToken(request: FastifyRequest): string {
  const token = request.headers['x-checkout-token'];
  return typeof token === 'string' ? token : '';
}

/** Where a browser says from which site a request comes, it must be ours; the token header proves the rest (H-19). */
function refuseCrossSite(request: FastifyRequest): void {
  const { origin, 'sec-fetch-site': site } = request.headers;
  if (origin !== undefined || site !== undefined) requireSameOrigin(request);
}

/** The chosen method, or what is wrong with the choice: said only to those who may see the order. */
function methodIn(body: JsonValue | undefined): string | AppError {
  if (!isJsonObject(body)) return new AppError('invalid_request');
  return typeof body.method_id === 'string' ? body.method_id : invalid('method_id', 'method_id is a text.');
}
