/**
 * The page of a catalog order, for its signed-in buyer alone: a PTK payment leads here, and the provider's page sends
 * the buyer back here (D-180). Plain forms, no script. A GET starts no payment (H-20).
 */
import { renderOrder } from '@paydesk/checkout';
import type { FastifyInstance, FastifyReply } from 'fastify';
import { minutes } from '../../base/time/clock.ts';
import { AppError } from '../../base/errors.ts';
import { readDelivery } from '../../catalog/fulfilment/index.ts';
import {
  type CatalogOrder,
  expireIfDue,
  orderPath,
  selectCatalogOrderByNo,
} from '../../catalog/orders/index.ts';
import { hostedPageOrigin } from '../../channels/index.ts';
import { readTopUpOffer } from '../../collection/top-ups/index.ts';
import { sendPage } from '../../http/page.ts';
import { localeOf } from '../../http/page-context.ts';
import { requireSameOrigin } from '../../http/same-origin.ts';
import { sessionHashOf, sessionToken } from '../../identity/sessions/index.ts';
import { startPayment } from '../../payments/starting/index.ts';
import { limitReads, limitStarts } from '../request/rate-limits.ts';
import { type RequestForOrder, type CheckoutVisitor } from '../request/deps.ts';
import { readCheckout } from '../state/read-checkout.ts';
import { shownCatalogOrder } from '../state/shown-order.ts';
import { backOf, type CheckoutPageDeps, isShort } from './checkout-page-routes.ts';
import { signInUrl } from './provider-return-routes.ts';
import { topUpPathFor } from './top-up-for-order.ts';

/** A waiting page loads itself again after this many seconds. */
const refresh_s = 5;
/** A paid order's page waits for codes for this long after the payment. */
const codesWithin_ms = minutes(2);

export function catalogOrderPageRoutes(app: FastifyInstance, deps: CheckoutPageDeps): void {
  const { base_path, origin } = app.site;
  const { errorHandler } = deps.pages;

  app.get(
    '/orders/:order_no',
    { onRequest: limitReads(deps), errorHandler },
    async (request: RequestForOrder, reply) => {
      const { order_no } = request.params;
      const visitor = await deps.sessionUser(request.headers.cookie);
      if (visitor === null) return reply.redirect(signInForOrder(base_path, order_no), 303);
      const order = await readOwnOrder(deps, order_no, visitor);
      return sendOrderPage(deps, request, reply, { order, visitor });
    },
  );

  app.post(
    '/orders/:order_no/payment',
    { onRequest: limitStarts(deps), errorHandler, config: { body: 'form' } },
    async (request: RequestForOrder, reply) => {
      requireSameOrigin(request);
      const { order_no } = request.params;
      const visitor = await deps.sessionUser(request.headers.cookie);
      if (visitor === null) return reply.redirect(signInForOrder(base_path, order_no), 303);
      const { merchant_id, method_id, user_id } = await readOwnOrder(deps, order_no, visitor);
      // The order is read again: the attempt may have changed it.
      const send = async (outcome: AppError | 'pending') => {
        const order = await readOwnOrder(deps, order_no, visitor);
        return sendOrderPage(deps, request, reply, { order, visitor, outcome });
      };
      try {
        const started = await startPayment(deps.payments, {
          ...{ merchant_id, order_no, method_id, user_id },
          session_hash: sessionHashOf(sessionToken(request)),
          locale: localeOf(request),
        });
        deps.wakeFulfilment();
        if (started.kind === 'redirect') return await reply.redirect(started.redirect_url, 303);
        if (started.kind === 'paid') {
          return await reply.redirect(origin + base_path + orderPath(order_no), 303);
        }
        return await send('pending');
      } catch (error) {
        if (!(error instanceof AppError) || error.status >= 500) throw error;
        return send(error);
      }
    },
  );
}

/** The buyer's own order. Another person's order is answered like an unknown one. */
export async function readOwnOrder(
  deps: CheckoutPageDeps,
  order_no: string,
  { user_id }: CheckoutVisitor,
): Promise<CatalogOrder> {
  const order = await selectCatalogOrderByNo(deps.db, order_no);
  if (order?.user_id !== user_id) throw new AppError('payment_not_found');
  return expireIfDue(deps, order);
}

/** What an order page is sent for: an order, and the outcome of its payment form if one was sent. */
interface Shown {
  order: CatalogOrder;
  visitor: CheckoutVisitor;
  outcome?: AppError | 'pending';
}

async function sendOrderPage(
  deps: CheckoutPageDeps,
  request: RequestForOrder,
  reply: FastifyReply,
  { order, visitor, outcome }: Shown,
): Promise<FastifyReply> {
  const { base_path } = reply.server.site;
  const [state, channels, delivery] = await Promise.all([
    readCheckout(deps, shownCatalogOrder(order), visitor, localeOf(request)),
    deps.channels.of(order.merchant_id),
    readDelivery(deps, order),
  ]);
  const offer = isShort(state) ? await readTopUpOffer(deps, visitor.user_id) : null;
  const page = deps.pages.context(request);
  const page_path = base_path + orderPath(order.order_no);
  const failure = outcome === 'pending' ? undefined : outcome;
  const back = backOf((request.query as Record<string, unknown>).returned);
  const isReturned = back === 'returned';
  const view = { ...state, delivery: order.state === 'completed' ? delivery : null };
  const html = renderOrder(view, {
    ...page,
    page_path,
    pay_path: `${page_path}/payment`,
    sign_in_url: `${signInForOrder(base_path, order.order_no)}&again=1`,
    top_up_url: offer === null ? undefined : topUpPathFor(base_path, order.order_no),
    notice: outcome === 'pending' ? 'provider_result_pending' : failure?.code,
    retry_after_s: failure?.detail.retry_after_s,
    back,
  });
  const attempt = state.attempt?.state ?? '';
  if (isWaiting(order, { isReturned, attempt }, deps.clock.now())) {
    // The answer to a form has an address of its own, at which there is no page (D-1134).
    reply.header('refresh', request.method === 'POST' ? `${refresh_s}; url=${page_path}` : String(refresh_s));
  }
  return sendPage(reply, html, {
    nonce: page.nonce,
    status: failure?.status ?? (outcome === 'pending' ? 202 : 200),
    form_action: channels.map(hostedPageOrigin).filter((known) => known !== null),
  });
}

/** Whether the payment or the codes of an order are expected to change soon. */
function isWaiting(
  { state, paid_at }: CatalogOrder,
  { isReturned, attempt }: { isReturned: boolean; attempt: string },
  now: Date,
): boolean {
  // An asynchronous payment takes days: no buyer waits for it at the page (D-262).
  if (state === 'review') return attempt !== 'processing';
  if (state === 'pending') return isReturned || ['unknown', 'creating'].includes(attempt);
  if (state !== 'paid' || paid_at === null) return false;
  return now.getTime() - paid_at.getTime() < codesWithin_ms;
}

/** The sign-in page that comes back to an order. */
export const signInForOrder = (base_path: string, order_no: string): string =>
  signInUrl(base_path, base_path + orderPath(order_no));
