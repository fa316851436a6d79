/**
 * The way back from the provider's page (D-117). It only shows the order; parameters of the address do nothing
 * . The provider sends the buyer to an address without the token; the browser shows the token in a cookie that
 * holds only for the paths of this one order.
 */
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Pages } from '../../http/page-context.ts';
import { openCheckout } from '../link/open-checkout.ts';
import { comesIntoTab, rememberedToken } from '../link/token-cookies.ts';
import { type CheckoutDeps, type RequestForOrder, visitorOf } from '../request/deps.ts';
import { limitReads } from '../request/rate-limits.ts';
import { fromTopUp } from './top-up-for-order.ts';

export function returnRoutes(app: FastifyInstance, deps: CheckoutDeps & { pages: Pages }): void {
  const { base_path } = app.site;
  app.get(
    '/checkout/return/:order_no',
    { onRequest: limitReads(deps), errorHandler: checkoutErrorHandler(deps.pages, base_path) },
    async (request: RequestForOrder, reply) => {
      const { order_no } = request.params;
      const token = rememberedToken(request, 'return', order_no);
      const { canceled, from } = request.query as { canceled?: unknown; from?: unknown };
      // The top-up was paid in another browser, which does not know the order.
      if (from === fromTopUp && token === '') return reply.redirect(`${base_path}/account`, 303);
      await openCheckout(deps, order_no, token, visitorOf(deps, request));
      const tab = comesIntoTab(request, order_no) ? '&tab=1' : '';
      const page = `${base_path}/checkout/${order_no}?token=${token}${tab}`;
      if (from === fromTopUp) return reply.redirect(page + methodIn(request), 303);
      return reply.redirect(`${page}&returned=${canceled === '1' ? 'canceled' : '1'}`, 303);
    },
  );
}

/** The method that was chosen before the top-up. */
function methodIn(request: RequestForOrder): string {
  const { method } = request.query as { method?: unknown };
  return typeof method === 'string' ? `&method=${encodeURIComponent(method)}` : '';
}

/**
 * Shows errors as pages that can be tried again. A person who opens a top-up without a session signs in first, and
 * comes back (D-360).
 */
export function checkoutErrorHandler(pages: Pages, base_path: string): Pages['errorHandler'] {
  const show = pages.retryingErrorHandler(retryUrl);
  return (error, request, reply) => {
    if (error.code === 'login_required') void reply.redirect(signInUrl(base_path, retryUrl(request)), 303);
    else show(error, request, reply);
  };
}

/** @param path where the buyer comes back to, with the path prefix */
export const signInUrl = (base_path: string, path: string): string =>
  `${base_path}/sign-in?return_to=${encodeURIComponent(path)}`;

/**
 * The address that tries a failed request again. A failed form leads to the page of its order, by the cookie that holds
 * the token: the form itself may not have been read.
 */
function retryUrl(request: FastifyRequest): string {
  if (request.method === 'GET') return request.originalUrl;
  const { order_no } = (request as RequestForOrder).params;
  return `${request.server.site.base_path}/checkout/return/${encodeURIComponent(order_no)}`;
}
