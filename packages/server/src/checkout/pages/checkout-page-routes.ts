import {
  assetPath,
  type Assets,
  assetsBuilt,
  bareAssets,
  type BaseContext,
  loadAssets,
  negotiateLocale,
  renderCheckout,
  renderMessage,
  renderReceipt,
} from '@paydesk/checkout';
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { AppError } from '../../base/errors.ts';
import { hostedPageOrigin } from '../../channels/index.ts';
import type { CollectionOrder } from '../../collection/orders/index.ts';
import { startPayment } from '../../payments/card/index.ts';
import { readCookie, setCookie } from '../../http/cookies.ts';
import { pageNonce, sendPage } from '../../http/page.ts';
import { requireSameOrigin } from '../../http/same-origin.ts';
import { openCheckout } from '../link/open-checkout.ts';
import { readCheckout } from '../state/read-checkout.ts';
import type { CheckoutRoutesDeps, LimitHook, OrderRequest } from '../routes.ts';

const tokenCookie = 'checkout';
const languageCookie = 'lang';
const cookieLife_s = 30 * 24 * 3_600;

/** The checkout as pages and forms: complete without a script (D-115). GET starts nothing (H-20). */
export function pageRoutes(
  app: FastifyInstance,
  deps: CheckoutRoutesDeps,
  { limitReads, limitStarts }: { limitReads: LimitHook; limitStarts: LimitHook },
): void {
  const assets = assetsBuilt() ? loadAssets() : bareAssets;
  const { base_path, origin } = app.site;
  const page = (request: FastifyRequest): BaseContext => ({
    nonce: pageNonce(),
    base_path,
    locale: negotiateLocale(request.headers['accept-language'], chosenLanguage(request)),
    assets,
  });
  const errorHandler = (error: FastifyError, request: FastifyRequest, reply: FastifyReply): void => {
    sendErrorPage(error, request, reply, page(request));
  };
  const reads = { onRequest: limitReads, errorHandler };

  /** The page of an order, with what came of a form's start where there was one. */
  async function sendOrderPage(
    request: OrderRequest,
    reply: FastifyReply,
    order: CollectionOrder,
    token: string,
    outcome?: AppError | 'pending',
  ): Promise<FastifyReply> {
    const visitor = await deps.sessionUser(request.headers.cookie);
    const [state, channels] = await Promise.all([
      readCheckout(deps, order, visitor),
      deps.channels.of(order.merchant_id),
    ]);
    const context = page(request);
    const path = `${base_path}/checkout/${order.order_no}?token=${token}`;
    const failure = outcome instanceof AppError ? outcome : undefined;
    const html = renderCheckout(state, {
      ...context,
      token,
      page_url: origin + path,
      sign_in_url: `${base_path}/sign-in?return_to=${encodeURIComponent(path)}`,
      preview_method_id: queryText(request, 'method'),
      notice: outcome === 'pending' ? 'provider_result_pending' : failure?.code,
      retry_after_s: failure?.detail.retry_after_s,
      returned: queryText(request, 'returned') === '1',
    });
    rememberOrder(reply, base_path, order.order_no, token);
    return sendPage(reply, html, {
      nonce: context.nonce,
      status: failure?.status ?? (outcome === 'pending' ? 202 : 200),
      form_action: channels.map(hostedPageOrigin).filter((known) => known !== null),
    });
  }

  app.get('/checkout/:order_no', reads, async (request: OrderRequest, reply) => {
    const token = queryText(request, 'token') ?? '';
    const order = await openCheckout(deps, request.params.order_no, token);
    rememberLanguage(request, reply);
    return sendOrderPage(request, reply, order, token);
  });

  app.get('/checkout/:order_no/receipt', reads, async (request: OrderRequest, reply) => {
    const token = queryText(request, 'token') ?? '';
    const order = await openCheckout(deps, request.params.order_no, token);
    const visitor = await deps.sessionUser(request.headers.cookie);
    const state = await readCheckout(deps, order, visitor);
    const context = page(request);
    const html = renderReceipt(state, { ...context, token });
    if (html === null) return reply.redirect(`${base_path}/checkout/${order.order_no}?token=${token}`, 303);
    return sendPage(reply, html, { nonce: context.nonce });
  });

  app.post(
    '/checkout/:order_no/pay',
    { onRequest: limitStarts, errorHandler, config: { body: 'form' } },
    async (request: OrderRequest, reply) => {
      requireSameOrigin(request);
      const form = request.body as URLSearchParams;
      const token = form.get('token') ?? '';
      const order = await openCheckout(deps, request.params.order_no, token);
      const back = `${base_path}/checkout/${order.order_no}?token=${token}`;
      const visitor = await deps.sessionUser(request.headers.cookie);
      try {
        const started = await startPayment(deps.payments, {
          merchant_id: order.merchant_id,
          order_no: order.order_no,
          method_id: form.get('method_id') ?? '',
          user_id: visitor?.user_id ?? null,
        });
        if (started.kind === 'redirect') return await reply.redirect(started.redirect_url, 303);
        if (started.kind === 'paid') return await reply.redirect(back, 303);
        return await sendOrderPage(request, reply, await reopen(order, token), token, 'pending');
      } catch (error) {
        if (!(error instanceof AppError) || error.status >= 500) throw error;
        if (error.code === 'login_required') {
          return reply.redirect(`${base_path}/sign-in?return_to=${encodeURIComponent(back)}`, 303);
        }
        return sendOrderPage(request, reply, await reopen(order, token), token, error);
      }
    },
  );
  const reopen = ({ order_no }: CollectionOrder, token: string): Promise<CollectionOrder> =>
    openCheckout(deps, order_no, token);

  // The provider's page sends the buyer here, without a token: the cookie of the order's path knows it (D-117).
  app.get('/checkout/return/:order_no', reads, async (request: OrderRequest, reply) => {
    const { order_no } = request.params;
    const token = rememberedToken(request, `${base_path}/checkout/return/${order_no}`);
    await openCheckout(deps, order_no, token);
    return reply.redirect(`${base_path}/checkout/${order_no}?token=${token}&returned=1`, 303);
  });

  serveAssets(app, assets);
}

function serveAssets(app: FastifyInstance, assets: Assets): void {
  app.get<{ Params: { name: string } }>('/checkout/assets/:name', async (request, reply) => {
    const asset = assets.files.get(request.params.name);
    if (asset === undefined) throw new AppError('not_found');
    return reply
      .header('cache-control', 'public, max-age=31536000, immutable')
      .type(asset.content_type)
      .send(asset.bytes);
  });
  // Named once here, so that a renamed path fails at start rather than in a browser.
  for (const asset of assets.files.values()) {
    if (!assetPath('', asset).startsWith('/checkout/assets/')) throw new Error('assets are served elsewhere');
  }
}

/** What goes wrong on a page is told on a page, with the status and headers of the JSON answer. */
function sendErrorPage(
  error: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
  context: BaseContext,
): void {
  const known = error instanceof AppError ? error : new AppError('server_error');
  if (known.status >= 500) request.log.error({ err: error }, 'request failed');
  const { retry_after_s } = known.detail;
  if (known.status === 429 || known.status === 503) {
    reply.header('retry-after', String(Math.max(1, Math.ceil(retry_after_s ?? 5))));
  }
  const html = renderMessage({ ...context, code: known.code, retry_after_s, retry_url: retryOf(request) });
  sendPage(reply, html, { nonce: context.nonce, status: known.status });
}

/**
 * Where trying again leads: to the same page, or from a form that was not even read to the page of its order, by the
 * cookie that knows its token. Only codes that pass by themselves show it.
 */
function retryOf(request: FastifyRequest): string {
  if (request.method === 'GET') return request.originalUrl;
  const { order_no } = (request as OrderRequest).params;
  return `${request.server.site.base_path}/checkout/return/${encodeURIComponent(order_no)}`;
}

/** One value of the query, or undefined where it is missing or repeated. */
function queryText(request: FastifyRequest, name: string): string | undefined {
  const value = (request.query as Record<string, unknown>)[name];
  return typeof value === 'string' ? value : undefined;
}

function chosenLanguage(request: FastifyRequest): string | null {
  return (
    queryText(request, 'lang') ?? readCookie(request.server.site, request.headers.cookie, languageCookie)
  );
}

function rememberLanguage(request: FastifyRequest, reply: FastifyReply): void {
  const lang = queryText(request, 'lang');
  if (lang !== undefined && /^[A-Za-z-]{2,10}$/.test(lang)) {
    setCookie(reply, languageCookie, lang, { max_age_s: 365 * 24 * 3_600 });
  }
}

/** The token in cookies of this order's own paths: for the way back from the provider, and for the event stream. */
function rememberOrder(reply: FastifyReply, base_path: string, order_no: string, token: string): void {
  for (const part of ['return', 'api']) {
    const path = `${base_path}/checkout/${part}/${order_no}`;
    setCookie(reply, tokenCookie, token, { path, max_age_s: cookieLife_s });
  }
}

/** The token that the browser was given for one of an order's paths; empty where it has none. */
export function rememberedToken(request: FastifyRequest, path: string): string {
  return readCookie(request.server.site, request.headers.cookie, tokenCookie, path) ?? '';
}
