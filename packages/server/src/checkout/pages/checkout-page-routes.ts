/**
 * The checkout page of a collection order, and its receipt: complete without a script (D-115). The link of the order
 * opens it in any browser, without an API token. A GET starts no payment (H-20), and added parameters do
 * nothing. Pages go out under `sendPage`, which forbids third-party content and Referer headers (R-382,
 * H-17).
 */
import { renderCheckout, renderReceipt } from '@paydesk/checkout';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { AppError } from '../../base/errors.ts';
import { hostedPageOrigin } from '../../channels/index.ts';
import type { CollectionOrder } from '../../collection/orders/index.ts';
import { setCookie } from '../../http/cookies.ts';
import type { Pages } from '../../http/page-context.ts';
import { sendPage } from '../../http/page.ts';
import { openCheckout } from '../link/open-checkout.ts';
import { type CheckoutDeps, type RequestForOrder } from '../request/deps.ts';
import { limitReads } from '../request/rate-limits.ts';
import { readCheckout } from '../state/read-checkout.ts';
import { rememberToken, retryUrl } from './return-routes.ts';

const languageCookie = 'lang';
const languageLife_s = 365 * 24 * 3_600;

export interface CheckoutPageDeps extends CheckoutDeps {
  pages: Pages;
}

export function checkoutPageRoutes(app: FastifyInstance, deps: CheckoutPageDeps): void {
  const reads = { onRequest: limitReads(deps), errorHandler: deps.pages.retryingErrorHandler(retryUrl) };

  app.get('/checkout/:order_no', reads, async (request: RequestForOrder, reply) => {
    const token = queryText(request, 'token') ?? '';
    const order = await openCheckout(deps, request.params.order_no, token);
    rememberLanguage(request, reply);
    return sendCheckoutPage(deps, request, reply, { order, token });
  });

  app.get('/checkout/:order_no/receipt', reads, async (request: RequestForOrder, reply) => {
    const token = queryText(request, 'token') ?? '';
    const order = await openCheckout(deps, request.params.order_no, token);
    const visitor = await deps.sessionUser(request.headers.cookie);
    const state = await readCheckout(deps, order, visitor);
    const context = deps.pages.context(request);
    const html = renderReceipt(state, {
      ...context,
      token,
      mail: deps.mail ? mailStateOf(queryText(request, 'mail')) : 'off',
    });
    if (html === null) return reply.redirect(app.site.base_path + checkoutPath(order, token), 303);
    return sendPage(reply, html, { nonce: context.nonce });
  });
}

/** The result of the form that mails the receipt. */
const mailStateOf = (told: string | undefined): 'ask' | 'sent' | 'bad' =>
  told === 'sent' || told === 'bad' ? told : 'ask';

/** What a checkout page is sent for: an order, and the outcome of its payment form if one was sent. */
export interface Shown {
  order: CollectionOrder;
  token: string;
  outcome?: AppError | 'pending';
}

/** Sends the page of an order. Its status tells the outcome of a form: 202 if it is unknown, that of an error. */
export async function sendCheckoutPage(
  deps: CheckoutPageDeps,
  request: RequestForOrder,
  reply: FastifyReply,
  { order, token, outcome }: Shown,
): Promise<FastifyReply> {
  const { base_path, origin } = reply.server.site;
  const visitor = await deps.sessionUser(request.headers.cookie);
  const [state, channels] = await Promise.all([
    readCheckout(deps, order, visitor),
    deps.channels.of(order.merchant_id),
  ]);
  const context = deps.pages.context(request);
  const path = base_path + checkoutPath(order, token);
  const failure = outcome === 'pending' ? undefined : outcome;
  const html = renderCheckout(state, {
    ...context,
    token,
    page_url: origin + path,
    sign_in_url: signInUrl(base_path, path),
    preview_method_id: queryText(request, 'method'),
    notice: outcome === 'pending' ? 'provider_result_pending' : failure?.code,
    retry_after_s: failure?.detail.retry_after_s,
    returned: queryText(request, 'returned') === '1',
  });
  rememberToken(reply, order.order_no, token);
  return sendPage(reply, html, {
    nonce: context.nonce,
    status: failure?.status ?? (outcome === 'pending' ? 202 : 200),
    form_action: channels.map(hostedPageOrigin).filter((known) => known !== null),
  });
}

/** The page of an order, below the public address. */
export const checkoutPath = ({ order_no }: Pick<CollectionOrder, 'order_no'>, token: string): string =>
  `/checkout/${order_no}?token=${token}`;

/** @param path where the buyer comes back to, with the path prefix */
export const signInUrl = (base_path: string, path: string): string =>
  `${base_path}/sign-in?return_to=${encodeURIComponent(path)}`;

/** One value of the query, or undefined if it is missing or repeated. */
function queryText(request: FastifyRequest, name: string): string | undefined {
  const value = (request.query as Record<string, unknown>)[name];
  return typeof value === 'string' ? value : undefined;
}

function rememberLanguage(request: FastifyRequest, reply: FastifyReply): void {
  const lang = queryText(request, 'lang');
  if (lang !== undefined && /^[A-Za-z-]{2,10}$/.test(lang)) {
    setCookie(reply, languageCookie, lang, { max_age_s: languageLife_s });
  }
}
