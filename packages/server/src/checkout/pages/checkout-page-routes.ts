/**
 * The checkout page of a collection order, and its receipt: complete without a script (D-115). The link of the order
 * opens it in any browser, without an API token. A GET starts no payment (H-20), and added parameters do
 * nothing. Pages go out under `sendPage`, which forbids third-party content and Referer headers (R-382,
 * H-17). With `embed=1` it is the page for a frame of the merchant (ADR 49).
 */
import { type CheckoutState, renderCheckout, renderQrCode, renderReceipt } from '@paydesk/checkout';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { AppError } from '../../base/errors.ts';
import { hostedPageOrigin } from '../../channels/index.ts';
import type { CollectionOrder } from '../../collection/orders/index.ts';
import { readTopUpOffer } from '../../collection/top-ups/index.ts';
import type { Pages } from '../../http/page-context.ts';
import { rememberLanguage, sendPage } from '../../http/page.ts';
import { checkoutToken } from '../link/checkout-token.ts';
import { maskToken } from '../link/mask-token.ts';
import { openCheckout } from '../link/open-checkout.ts';
import { rememberToken } from '../link/token-cookies.ts';
import { type CheckoutDeps, type CheckoutVisitor, type RequestForOrder, visitorOf } from '../request/deps.ts';
import { limitReads } from '../request/rate-limits.ts';
import { readOrderState } from '../state/read-checkout.ts';
import { type DemoShop, embedOriginsOf } from './allowed-frames.ts';
import { checkoutErrorHandler, signInUrl } from './provider-return-routes.ts';
import { behindTopUp, topUpPathFor } from './top-up-for-order.ts';

export interface CheckoutPageDeps extends CheckoutDeps {
  pages: Pages;
  demo_shop: DemoShop | null;
}

export function checkoutPageRoutes(app: FastifyInstance, deps: CheckoutPageDeps): void {
  const reads = {
    onRequest: limitReads(deps),
    errorHandler: checkoutErrorHandler(deps.pages, app.site.base_path),
  };

  app.get('/checkout/:order_no', reads, async (request: RequestForOrder, reply) => {
    const order = await openLinked(deps, request);
    const embed = queryText(request, 'embed') === '1';
    // Without a frame around it, the page for frames is of no use.
    if (embed && request.headers['sec-fetch-dest'] === 'document') {
      return reply.redirect(pageAddress(deps, app.site.base_path, order), 303);
    }
    if (isVisit(request)) deps.noteOpening(order);
    const tab = queryText(request, 'tab') === '1';
    if (embed) return sendCheckoutPage(deps, request, reply, { order, embed });
    rememberLanguage(reply);
    if (queryText(request, 'sign_in') === '1' && (await deps.sessionUser(request.headers.cookie)) === null) {
      return reply.redirect(signInFirst(deps, request, order), 303);
    }
    return sendCheckoutPage(deps, request, reply, { order, tab });
  });

  // A separate address, because few buyers open it.
  app.get('/checkout/:order_no/qr.svg', reads, async (request: RequestForOrder, reply) => {
    const order = await openLinked(deps, request);
    const code = renderQrCode(app.site.origin + pageAddress(deps, app.site.base_path, order));
    return reply.header('content-security-policy', `default-src 'none'`).type('image/svg+xml').send(code);
  });

  app.get('/checkout/:order_no/receipt', reads, async (request: RequestForOrder, reply) => {
    const order = await openLinked(deps, request);
    const visitor = await deps.sessionUser(request.headers.cookie);
    const context = deps.pages.context(request);
    const state = await readOrderState(deps, order, visitor, context.locale);
    const html = renderReceipt(state, {
      ...context,
      trade_no: order.provider_trade_no ?? '',
      token: maskToken(checkoutToken(deps.box, order)),
      mail: deps.mail ? mailStateOf(queryText(request, 'mail')) : 'off',
    });
    if (html === null) return reply.redirect(pageAddress(deps, app.site.base_path, order), 303);
    return sendPage(reply, html, { nonce: context.nonce });
  });
}

/**
 * Whether a person's browser shows the page, as all browsers of today say. A preview of a link and a page that is loaded
 * in advance are no visits (H-20, D-330).
 */
const isVisit = ({ headers }: RequestForOrder): boolean =>
  ['document', 'iframe'].includes(String(headers['sec-fetch-dest'])) && headers['sec-purpose'] === undefined;

/** The result of the form that mails the receipt. */
const mailStateOf = (told: string | undefined): 'ask' | 'sent' | 'bad' =>
  told === 'sent' || told === 'bad' ? told : 'ask';

/** What a checkout page is sent for: an order, where it is shown, and the outcome of its payment form if one was sent. */
export interface Shown {
  order: CollectionOrder;
  /** Whether the page is for a frame of the merchant. */
  embed?: boolean;
  /** Whether the page continues in a separate tab, beside a frame. */
  tab?: boolean;
  outcome?: AppError | 'pending' | 'not_closed';
  /** The method that the form named (D-1216). */
  method_id?: string;
}

/** The notice for an outcome that the provider has left open. */
const notices = { pending: 'provider_result_pending', not_closed: 'not_closed' } as const;

/** How a buyer has come back from the provider's page, by the `returned` of the address. */
export function backOf(told: unknown): 'returned' | 'canceled' | null {
  if (told === 'canceled') return told;
  return told === '1' ? 'returned' : null;
}

/**
 * Sends the page of an order. Its status tells the outcome of a form: 202 if it is unknown, else the status of the error.
 *
 * Only the merchant's origins can show a page for a frame (D-266). It neither reads nor sets a cookie and knows no
 * signed-in person, so that a click in a frame cannot pay from a person's balance (D-268).
 */
export async function sendCheckoutPage(
  deps: CheckoutPageDeps,
  request: RequestForOrder,
  reply: FastifyReply,
  { order, outcome, embed = false, tab = false, method_id = queryText(request, 'method') }: Shown,
): Promise<FastifyReply> {
  const { base_path } = reply.server.site;
  const context = deps.pages.context(request);
  const visitor = embed ? null : await deps.sessionUser(request.headers.cookie);
  const [state, channels, embed_origins] = await Promise.all([
    readOrderState(deps, order, visitor, context.locale),
    deps.channels.of(order.merchant_id),
    embed ? embedOriginsOf(deps, order.merchant_id) : [],
  ]);
  const top_up_url = await topUpUrlFor(deps, base_path, { order, state, visitor });
  const token = checkoutToken(deps.box, order);
  const masked = maskToken(token);
  const path = base_path + checkoutPath(order, masked);
  const failure = typeof outcome === 'string' ? undefined : outcome;
  const html = renderCheckout(state, {
    ...context,
    token: masked,
    sign_in_url: embed
      ? `${path}&tab=1&sign_in=1&lang=${context.locale}`
      : signInUrl(base_path, tab ? `${path}&tab=1` : path),
    preview_method_id: method_id,
    notice: typeof outcome === 'string' ? notices[outcome] : failure?.code,
    retry_after_s: failure?.detail.retry_after_s,
    back: backOf(queryText(request, 'returned')),
    ...(embed ? { embed_origins } : {}),
    tab,
    top_up_url,
    tops_up: order.wallet_user_id !== null,
  });
  if (!embed) rememberToken(reply, order.order_no, token, tab);
  return sendPage(reply, html, {
    nonce: context.nonce,
    status: failure?.status ?? (outcome === undefined ? 200 : 202),
    form_action: channels.map(hostedPageOrigin).filter((known) => known !== null),
    frame_ancestors: embed_origins,
  });
}

interface Asked {
  order: CollectionOrder;
  state: CheckoutState;
  visitor: CheckoutVisitor | null;
}

/** Where the buyer tops up the balance: for an order that costs more, or again where a top-up has ended. */
async function topUpUrlFor(
  deps: CheckoutPageDeps,
  base_path: string,
  { order, state, visitor }: Asked,
): Promise<string | undefined> {
  if (visitor === null) return undefined;
  if (order.wallet_user_id !== null) {
    const behind = behindTopUp(order.return_url);
    return behind === null ? `${base_path}/account/top-up` : topUpPathFor(base_path, behind.order_no);
  }
  const offer = isShort(state) ? await readTopUpOffer(deps, visitor.user_id) : null;
  return offer === null ? undefined : topUpPathFor(base_path, order.order_no, order.currency);
}

/** Whether the buyer's balance is too low for a method. */
export const isShort = ({ status, methods }: CheckoutState): boolean =>
  status === 'pending' && methods.some(({ unusable_reason }) => unusable_reason === 'insufficient_balance');

/** The order that the token in the query opens. */
export const openLinked = (deps: CheckoutDeps, request: RequestForOrder): Promise<CollectionOrder> =>
  openCheckout(deps, request.params.order_no, queryText(request, 'token') ?? '', visitorOf(deps, request));

/** The path of an order's page, with the path prefix and the token itself. */
export const pageAddress = (deps: CheckoutDeps, base_path: string, order: CollectionOrder): string =>
  base_path + checkoutPath(order, checkoutToken(deps.box, order));

/** The page of an order, below the public address. */
export const checkoutPath = ({ order_no }: Pick<CollectionOrder, 'order_no'>, token: string): string =>
  `/checkout/${order_no}?token=${token}`;

/** From a frame, which knows no session: the sign-in page that comes back to the page in its tab. */
function signInFirst(deps: CheckoutDeps, request: RequestForOrder, order: CollectionOrder): string {
  const { base_path } = request.server.site;
  const method = queryText(request, 'method');
  const chosen = method === undefined ? '' : `&method=${encodeURIComponent(method)}`;
  return signInUrl(base_path, `${pageAddress(deps, base_path, order)}&tab=1${chosen}`);
}

/** One value of the query, or undefined if it is missing or repeated. */
export function queryText(request: FastifyRequest, name: string): string | undefined {
  const value = (request.query as Record<string, unknown>)[name];
  return typeof value === 'string' ? value : undefined;
}
