/**
 * The forms of the checkout page that start a payment and close one, for browsers without a script (D-115, R-199). A
 * page in a frame (`embed`) starts with the form too: it leads into a separate tab, which learns the token here, and
 * pays as a guest (D-268).
 */
import type { FastifyInstance } from 'fastify';
import { AppError } from '../../base/errors.ts';
import { rememberLanguage } from '../../http/page.ts';
import { localeOf } from '../../http/page-context.ts';
import { requireSameOrigin } from '../../http/same-origin.ts';
import { sessionHashOf, sessionToken } from '../../identity/sessions/index.ts';
import { startPayment } from '../../payments/starting/index.ts';
import { withdrawAttempt } from '../../payments/card/index.ts';
import { checkoutToken } from '../link/checkout-token.ts';
import { openCheckout } from '../link/open-checkout.ts';
import { limitStarts } from '../request/rate-limits.ts';
import { rememberToken } from '../link/token-cookies.ts';
import { type RequestForOrder, visitorOf } from '../request/deps.ts';
import { type CheckoutPageDeps, pageAddress, sendCheckoutPage } from './checkout-page-routes.ts';
import { checkoutErrorHandler, signInUrl } from './provider-return-routes.ts';

export function paymentFormRoutes(app: FastifyInstance, deps: CheckoutPageDeps): void {
  const { base_path } = app.site;
  const errorHandler = checkoutErrorHandler(deps.pages, base_path);
  app.post(
    '/checkout/:order_no/pay',
    { onRequest: limitStarts(deps), errorHandler, config: { body: 'form' } },
    async (request: RequestForOrder, reply) => {
      requireSameOrigin(request);
      const { order_no } = request.params;
      const form = request.body as URLSearchParams;
      const token = form.get('token') ?? '';
      const method_id = form.get('method_id') ?? '';
      const findVisitor = visitorOf(deps, request);
      const order = await openCheckout(deps, order_no, token, findVisitor);
      const embed = form.get('embed') === '1';
      const tab = embed || form.get('tab') === '1';
      const page = pageAddress(deps, base_path, order) + (tab ? '&tab=1' : '');
      // The order is read again: the attempt may have changed it.
      const send = async (outcome: AppError | 'pending') =>
        sendCheckoutPage(deps, request, reply, {
          order: await openCheckout(deps, order_no, token, findVisitor),
          ...{ outcome, tab, method_id },
        });
      const visitor = embed ? null : await findVisitor();
      try {
        const started = await startPayment(deps.payments, {
          merchant_id: order.merchant_id,
          order_no,
          method_id,
          user_id: visitor?.user_id ?? null,
          session_hash: sessionHashOf(sessionToken(request)),
          locale: localeOf(request),
        });
        if (started.kind === 'redirect') {
          if (embed) {
            rememberToken(reply, order_no, checkoutToken(deps.box, order), tab);
            rememberLanguage(reply);
          }
          return await reply.redirect(started.redirect_url, 303);
        }
        if (started.kind === 'paid') return await reply.redirect(page, 303);
        return await send('pending');
      } catch (error) {
        if (!(error instanceof AppError) || error.status >= 500) throw error;
        if (error.code !== 'login_required') return send(error);
        const method = new URLSearchParams({ method: method_id });
        return reply.redirect(signInUrl(base_path, `${page}&${method.toString()}`), 303);
      }
    },
  );

  // The buyer wants another method than the one whose payment page is open (D-258).
  app.post(
    '/checkout/:order_no/close',
    { onRequest: limitStarts(deps), errorHandler, config: { body: 'form' } },
    async (request: RequestForOrder, reply) => {
      requireSameOrigin(request);
      const form = request.body as URLSearchParams;
      const open = () =>
        openCheckout(deps, request.params.order_no, form.get('token') ?? '', visitorOf(deps, request));
      const order = await open();
      if (!(await withdrawAttempt(deps.payments, order))) {
        return sendCheckoutPage(deps, request, reply, { order: await open(), outcome: 'not_closed' });
      }
      const method = new URLSearchParams({ method: form.get('method_id') ?? '' });
      return reply.redirect(`${pageAddress(deps, base_path, order)}&${method.toString()}`, 303);
    },
  );
}
