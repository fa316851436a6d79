/**
 * The way back from the provider's page (D-117). It only shows the order; parameters of the address do nothing
 * . The provider sends the buyer to an address without the token; the browser shows the token in a cookie that
 * holds only for the paths of this one order.
 */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { readCookie, setCookie } from '../../http/cookies.ts';
import type { Pages } from '../../http/page-context.ts';
import { openCheckout } from '../link/open-checkout.ts';
import { type CheckoutDeps, type RequestForOrder, visitorOf } from '../request/deps.ts';
import { limitReads } from '../request/rate-limits.ts';
import { fromTopUp } from './top-up-behind.ts';

const tokenCookie = 'checkout';
const cookieLife_s = 30 * 24 * 3_600;

/** Says that the payment was begun in a tab of its own, beside a frame. It outlasts every order. */
const tabCookie = 'tab';
const tabLife_s = 3 * 3_600;

/** The parts of the checkout that get no token in a header or a form: the way back, and the event stream. */
const parts = ['return', 'api'] as const;

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
      const tab = isTab(request, order_no) ? '&tab=1' : '';
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
 * Gives the browser the token of an order in cookies of that order's own paths.
 *
 * @param tab whether the buyer comes back into a tab of its own, beside a frame
 */
export function rememberToken(reply: FastifyReply, order_no: string, token: string, tab: boolean): void {
  for (const part of parts) {
    const path = cookiePath(reply.server.site.base_path, part, order_no);
    setCookie(reply, tokenCookie, token, { path, max_age_s: cookieLife_s });
  }
  if (!tab) return;
  const path = cookiePath(reply.server.site.base_path, 'return', order_no);
  setCookie(reply, tabCookie, '1', { path, max_age_s: tabLife_s });
}

function isTab({ server: { site }, headers }: FastifyRequest, order_no: string): boolean {
  const path = cookiePath(site.base_path, 'return', order_no);
  return readCookie(site, headers.cookie, tabCookie, path) === '1';
}

/** The token that the browser was given for an order; empty if it has none. */
export function rememberedToken(
  request: FastifyRequest,
  part: (typeof parts)[number],
  order_no: string,
): string {
  const { site } = request.server;
  const path = cookiePath(site.base_path, part, order_no);
  return readCookie(site, request.headers.cookie, tokenCookie, path) ?? '';
}

const cookiePath = (base_path: string, part: string, order_no: string): string =>
  `${base_path}/checkout/${part}/${order_no}`;

/** Shows errors as pages that can be tried again. Who opens a top-up without a session signs in first, and comes back. */
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
export function retryUrl(request: FastifyRequest): string {
  if (request.method === 'GET') return request.originalUrl;
  const { order_no } = (request as RequestForOrder).params;
  return `${request.server.site.base_path}/checkout/return/${encodeURIComponent(order_no)}`;
}
