/**
 * The JSON API of the checkout page's script: the state of an order, the start of its payment (D-115), and the end of
 * one.
 */
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { AppError, invalid } from '../../base/errors.ts';
import { isJsonObject, type JsonValue } from '../../base/input/json.ts';
import { type CollectionOrder, payableOrder } from '../../collection/orders/index.ts';
import { calledLocaleOf } from '../../http/page-context.ts';
import { requireSameOrigin } from '../../http/same-origin.ts';
import { sessionHashOf, sessionToken } from '../../identity/sessions/index.ts';
import { readMethod, startPayment } from '../../payments/starting/index.ts';
import { withdrawAttempt } from '../../payments/card/index.ts';
import { claimedMerchantOrNobody, openCheckout } from '../link/open-checkout.ts';
import { headerToken } from '../link/token-cookies.ts';
import { type CheckoutDeps, type RequestForOrder, visitorOf } from '../request/deps.ts';
import { limitReads, limitStarts } from '../request/rate-limits.ts';
import { readOrderState } from '../state/read-checkout.ts';

/**
 * Adds the calls. No GET starts or unlocks anything (H-20): a preview only reads, and stores nothing. The page makes no
 * call when it is closed, so closing it changes nothing.
 */
export function checkoutApiRoutes(app: FastifyInstance, deps: CheckoutDeps): void {
  app.get('/checkout/api/:order_no', { onRequest: limitReads(deps) }, async (request: RequestForOrder) => {
    const [order, visitor] = await Promise.all([
      openByHeader(deps, request),
      deps.sessionUser(request.headers.cookie),
    ]);
    return readOrderState(deps, order, visitor, calledLocaleOf(request));
  });

  app.post(
    '/checkout/api/:order_no/payments',
    { onRequest: limitStarts(deps) },
    async (request: RequestForOrder, reply) => {
      refuseCrossSite(request);
      const started = await startChosen(deps, request);
      switch (started.kind) {
        case 'redirect':
          return { redirect_url: started.redirect_url };
        case 'paid':
          return { status: 'paid' };
        case 'pending':
          // The outcome is unknown: not a success, although the status is 2xx (R-233, R-370, D-094, H-28).
          return reply.code(202).send({
            error: 'provider_result_pending',
            error_description: 'The payment channel has not answered yet. Keep this order; do not pay again.',
          });
      }
    },
  );

  // The buyer wants another method than the one whose payment page is open (D-258).
  app.post(
    '/checkout/api/:order_no/payments/close',
    { onRequest: limitStarts(deps), config: { body: 'ignored' } },
    async (request: RequestForOrder, reply) => {
      refuseCrossSite(request);
      const { merchant_id, order_no } = await openByHeader(deps, request);
      if (!(await withdrawAttempt(deps.payments, { merchant_id, order_no }))) {
        return reply.code(202).send({
          error: 'provider_result_pending',
          error_description: 'The provider has not confirmed that its payment page is closed. It stays open.',
        });
      }
      const [order, visitor] = await Promise.all([
        openByHeader(deps, request),
        deps.sessionUser(request.headers.cookie),
      ]);
      return readOrderState(deps, order, visitor, calledLocaleOf(request));
    },
  );
}

/**
 * Starts or resumes the payment by the method that the body names. The payer is who is signed in now,
 * whatever the request says; signing in binds no order to a person (D-122).
 */
async function startChosen(deps: CheckoutDeps, request: RequestForOrder) {
  const { order_no } = request.params;
  const merchant_id = claimedMerchantOrNobody(headerToken(request));
  const chosen = methodIn(request.body as JsonValue | undefined);
  // Sent together, these reads take one round trip. The method is used only after the token has been checked.
  const [order, visitor, method] = await Promise.all([
    openByHeader(deps, request),
    deps.sessionUser(request.headers.cookie),
    readMethod(deps.payments, { merchant_id, order_no, method_id: chosen instanceof Error ? '' : chosen }),
  ]);
  if (chosen instanceof Error) throw chosen;
  return startPayment(
    deps.payments,
    {
      ...{ merchant_id, order_no, method_id: chosen },
      user_id: visitor?.user_id ?? null,
      session_hash: sessionHashOf(sessionToken(request)),
      locale: calledLocaleOf(request),
    },
    { order: payableOrder(order), method },
  );
}

const openByHeader = (deps: CheckoutDeps, request: RequestForOrder): Promise<CollectionOrder> =>
  openCheckout(deps, request.params.order_no, headerToken(request), visitorOf(deps, request));

/**
 * If the browser names the site that a request comes from, it must be ours. The token header proves the rest (H-19).
 */
function refuseCrossSite(request: FastifyRequest): void {
  const { origin, 'sec-fetch-site': site } = request.headers;
  if (origin !== undefined || site !== undefined) requireSameOrigin(request);
}

/** The chosen method, or the error of a bad choice: it is thrown only after the token proved access to the order. */
function methodIn(body: JsonValue | undefined): string | AppError {
  if (!isJsonObject(body)) return new AppError('invalid_request');
  return typeof body.method_id === 'string'
    ? body.method_id
    : invalid('method_id', 'method_id must be a string.');
}
