import { renderOrder } from '@paydesk/checkout';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { minutes } from '../../base/time/clock.ts';
import { AppError } from '../../base/errors.ts';
import {
  type CatalogOrder,
  expireIfDue,
  orderPath,
  selectCatalogOrderByNo,
} from '../../catalog/orders/index.ts';
import { readDelivery } from '../../catalog/fulfilment/index.ts';
import { hostedPageOrigin } from '../../channels/index.ts';
import type { CollectionDeps } from '../../collection/orders/index.ts';
import type { PaymentDeps } from '../../payments/engine/index.ts';
import { startPayment } from '../../payments/card/index.ts';
import type { Pages } from '../../http/page-context.ts';
import { sendPage } from '../../http/page.ts';
import type { Limiter } from '../../http/rate-limit.ts';
import { requireSameOrigin } from '../../http/same-origin.ts';
import type { LogoUrl } from '../logos/logo-url.ts';
import { shownCatalogOrder } from '../state/catalog-order.ts';
import { readCheckout, type Visitor } from '../state/read-checkout.ts';

export interface OrderPageDeps extends CollectionDeps {
  payments: PaymentDeps;
  limiter: Limiter;
  logoUrl: LogoUrl;
  pages: Pages;
  /** Who is signed in, by the request's `Cookie` header. */
  sessionUser: (cookies: string | undefined) => Promise<Visitor | null>;
  /** Called where an order has been paid: its codes are handed out without waiting for the next pass. */
  wakeFulfilment: () => void;
}

type OrderRequest = FastifyRequest<{ Params: { order_no: string } }>;

/** How often a page that waits looks again, and for how long after a payment codes are waited for. */
const refresh_s = 5;
const codesWithin_ms = minutes(2);

/**
 * The page of a catalog order, for its signed-in buyer alone: where a PTK payment's session leads, and where the
 * provider's page sends the buyer back to (D-180). Plain forms, no script; GET starts nothing (H-20).
 */
export function orderPageRoutes(app: FastifyInstance, deps: OrderPageDeps): void {
  const { base_path, origin } = app.site;
  const { errorHandler } = deps.pages;
  const limitReads = (request: FastifyRequest) => deps.limiter.take('checkout_read', request.client_ip);
  const limitStarts = (request: FastifyRequest) => deps.limiter.take('checkout_start', request.client_ip);
  const pathOf = (order_no: string): string => base_path + orderPath(order_no);
  const signIn = (order_no: string): string =>
    `${base_path}/sign-in?${new URLSearchParams({ return_to: pathOf(order_no) }).toString()}`;

  /** The buyer's own order; what is somebody else's does not exist. */
  async function ownOrder(order_no: string, { user_id }: Visitor): Promise<CatalogOrder> {
    const order = await selectCatalogOrderByNo(deps.db, order_no);
    if (order?.user_id !== user_id) throw new AppError('payment_not_found');
    return expireIfDue(deps, order);
  }

  async function sendOrder(
    request: OrderRequest,
    reply: FastifyReply,
    order: CatalogOrder,
    visitor: Visitor,
    outcome?: AppError | 'pending',
  ): Promise<FastifyReply> {
    const { order_no } = order;
    const [state, channels, delivery] = await Promise.all([
      readCheckout(deps, shownCatalogOrder(order), visitor),
      deps.channels.of(order.merchant_id),
      readDelivery(deps, order),
    ]);
    const page = deps.pages.context(request);
    const failure = outcome instanceof AppError ? outcome : undefined;
    const view = { ...state, delivery: order.state === 'completed' ? delivery : null };
    const html = renderOrder(view, {
      ...page,
      page_path: pathOf(order_no),
      pay_path: `${pathOf(order_no)}/payment`,
      sign_in_url: `${signIn(order_no)}&again=1`,
      notice: outcome === 'pending' ? 'provider_result_pending' : failure?.code,
      retry_after_s: failure?.detail.retry_after_s,
      returned: (request.query as Record<string, unknown>).returned === '1',
    });
    if (isWaiting(request, order, state.attempt?.state)) reply.header('refresh', String(refresh_s));
    return sendPage(reply, html, {
      nonce: page.nonce,
      status: failure?.status ?? (outcome === 'pending' ? 202 : 200),
      form_action: channels.map(hostedPageOrigin).filter((known) => known !== null),
    });
  }

  /** Whether news are to be expected soon, of the payment or of codes. */
  function isWaiting(request: OrderRequest, order: CatalogOrder, attempt: string | undefined): boolean {
    const { returned } = request.query as Record<string, unknown>;
    if (order.state === 'review') return true;
    if (order.state === 'pending') return returned === '1' || ['unknown', 'creating'].includes(attempt ?? '');
    if (order.state !== 'paid' || order.paid_at === null) return false;
    return deps.clock.now().getTime() - order.paid_at.getTime() < codesWithin_ms;
  }

  app.get(
    '/orders/:order_no',
    { onRequest: limitReads, errorHandler },
    async (request: OrderRequest, reply) => {
      const { order_no } = request.params;
      const visitor = await deps.sessionUser(request.headers.cookie);
      if (visitor === null) return reply.redirect(signIn(order_no), 303);
      return sendOrder(request, reply, await ownOrder(order_no, visitor), visitor);
    },
  );

  app.post(
    '/orders/:order_no/payment',
    { onRequest: limitStarts, errorHandler, config: { body: 'form' } },
    async (request: OrderRequest, reply) => {
      requireSameOrigin(request);
      const { order_no } = request.params;
      const visitor = await deps.sessionUser(request.headers.cookie);
      if (visitor === null) return reply.redirect(signIn(order_no), 303);
      const { merchant_id, method_id, user_id } = await ownOrder(order_no, visitor);
      try {
        const started = await startPayment(deps.payments, { merchant_id, order_no, method_id, user_id });
        deps.wakeFulfilment();
        if (started.kind === 'redirect') return await reply.redirect(started.redirect_url, 303);
        if (started.kind === 'paid') return await reply.redirect(origin + pathOf(order_no), 303);
        return await sendOrder(request, reply, await ownOrder(order_no, visitor), visitor, 'pending');
      } catch (error) {
        if (!(error instanceof AppError) || error.status >= 500) throw error;
        return sendOrder(request, reply, await ownOrder(order_no, visitor), visitor, error);
      }
    },
  );
}
