/** The form of the checkout page that starts a payment, for browsers without a script (D-115, R-199). */
import type { FastifyInstance } from 'fastify';
import { AppError } from '../../base/errors.ts';
import { requireSameOrigin } from '../../http/same-origin.ts';
import { startPayment } from '../../payments/card/index.ts';
import { openCheckout } from '../link/open-checkout.ts';
import { limitStarts } from '../request/rate-limits.ts';
import { type RequestForOrder } from '../request/deps.ts';
import { type CheckoutPageDeps, checkoutPath, sendCheckoutPage, signInUrl } from './checkout-page-routes.ts';
import { retryUrl } from './return-routes.ts';

export function paymentFormRoutes(app: FastifyInstance, deps: CheckoutPageDeps): void {
  const { base_path } = app.site;
  const errorHandler = deps.pages.retryingErrorHandler(retryUrl);
  app.post(
    '/checkout/:order_no/pay',
    { onRequest: limitStarts(deps), errorHandler, config: { body: 'form' } },
    async (request: RequestForOrder, reply) => {
      requireSameOrigin(request);
      const { order_no } = request.params;
      const form = request.body as URLSearchParams;
      const token = form.get('token') ?? '';
      const order = await openCheckout(deps, order_no, token);
      const page = base_path + checkoutPath(order, token);
      // The order is read again: the attempt may have changed it.
      const send = async (outcome: AppError | 'pending') =>
        sendCheckoutPage(deps, request, reply, {
          order: await openCheckout(deps, order_no, token),
          token,
          outcome,
        });
      const visitor = await deps.sessionUser(request.headers.cookie);
      try {
        const started = await startPayment(deps.payments, {
          merchant_id: order.merchant_id,
          order_no,
          method_id: form.get('method_id') ?? '',
          user_id: visitor?.user_id ?? null,
        });
        if (started.kind === 'redirect') return await reply.redirect(started.redirect_url, 303);
        if (started.kind === 'paid') return await reply.redirect(page, 303);
        return await send('pending');
      } catch (error) {
        if (!(error instanceof AppError) || error.status >= 500) throw error;
        if (error.code === 'login_required') return reply.redirect(signInUrl(base_path, page), 303);
        return send(error);
      }
    },
  );
}
