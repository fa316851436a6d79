/** `POST /checkout/{order_no}/receipt/mail`: mails the receipt of a paid order to the address typed on its page. */
import { hasReceipt } from '@paydesk/checkout';
import type { FastifyInstance } from 'fastify';
import { AppError } from '../../base/errors.ts';
import { sealed } from '../../base/sealed-columns.ts';
import { refuseCrossSite } from '../../http/same-origin.ts';
import { insertBuyerMail } from '../../identity/mail/index.ts';
import { checkEmail } from '../../identity/people/index.ts';
import { accountKey } from '../../identity/sign-in/index.ts';
import { checkoutToken } from '../link/checkout-token.ts';
import { openCheckout } from '../link/open-checkout.ts';
import { type RequestForOrder, visitorOf } from '../request/deps.ts';
import { limitReads } from '../request/rate-limits.ts';
import type { CheckoutPageDeps } from './checkout-page-routes.ts';
import { checkoutErrorHandler } from './provider-return-routes.ts';

/**
 * The address is stored sealed, only until the mail was sent. The limits keep links from being used to write to many
 * strangers, or often to one.
 */
export function receiptMailRoutes(app: FastifyInstance, deps: CheckoutPageDeps): void {
  const { context } = deps.pages;
  const errorHandler = checkoutErrorHandler(deps.pages, app.site.base_path);

  app.post(
    '/checkout/:order_no/receipt/mail',
    { onRequest: limitReads(deps), errorHandler, config: { body: 'form' } },
    async (request: RequestForOrder, reply) => {
      refuseCrossSite(request);
      const form = request.body as URLSearchParams;
      const order = await openCheckout(
        deps,
        request.params.order_no,
        form.get('token') ?? '',
        visitorOf(deps, request),
      );
      const { merchant_id, order_no, status } = order;
      const token = checkoutToken(deps.box, order);
      const path = `${app.site.base_path}/checkout/${order_no}/receipt?token=${token}`;
      if (!deps.mail || !hasReceipt({ status })) return reply.redirect(path, 303);
      let address: string;
      try {
        address = checkEmail(form.get('email') ?? '');
      } catch (refusal) {
        if (!(refusal instanceof AppError)) throw refusal;
        return reply.redirect(`${path}&mail=bad`, 303);
      }
      await deps.limiter.take('receipt_mail_address', request.client_ip);
      await deps.limiter.take('receipt_mail', order_no);
      await deps.limiter.take('receipt_mailbox', accountKey(address));
      const mail_id = `bm_${deps.ids.ulid(deps.clock.now())}`;
      const mail = insertBuyerMail({
        ...{ mail_id, merchant_id, order_no, kind: 'receipt', tries: 0, locale: context(request).locale },
        address_box: deps.box.seal(address, sealed.buyerMailAddress.row({ mail_id })),
        ...{ created_at: deps.clock.now(), due_at: deps.clock.real() },
      });
      await deps.db.transaction((tx) => tx.write([mail]));
      deps.onMail();
      return reply.redirect(`${path}&mail=sent`, 303);
    },
  );
}
