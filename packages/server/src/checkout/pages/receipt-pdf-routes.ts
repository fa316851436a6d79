/**
 * The receipt as PDF (D-355): of a collection order by its link, as the page of the receipt; of a catalog order for its
 * signed-in buyer alone. `zone` names the time zone of the buyer's browser.
 */
import { type Brand, receiptText } from '@paydesk/checkout';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { defaultBranding } from '../../base/settings/index.ts';
import { orderPath } from '../../catalog/orders/index.ts';
import type { RequestForOrder } from '../request/deps.ts';
import { limitStarts } from '../request/rate-limits.ts';
import { readCheckout } from '../state/read-checkout.ts';
import { shownCatalogOrder, type ShownOrder } from '../state/shown-order.ts';
import { readOwnOrder, signInForOrder } from './catalog-order-page-routes.ts';
import { type CheckoutPageDeps, openLinked, pageAddress, queryText } from './checkout-page-routes.ts';
import { checkoutErrorHandler } from './provider-return-routes.ts';

export function receiptPdfRoutes(app: FastifyInstance, deps: CheckoutPageDeps): void {
  const { base_path } = app.site;
  const errorHandler = checkoutErrorHandler(deps.pages, base_path);
  // A PDF takes far more time than a page.
  const options = { onRequest: limitStarts(deps), errorHandler, exposeHeadRoute: false } as const;

  app.get('/checkout/:order_no/receipt.pdf', options, async (request: RequestForOrder, reply) => {
    const order = await openLinked(deps, request);
    const page = pageAddress(deps, base_path, order);
    return sendReceipt(deps, request, reply, { order, trade_no: order.provider_trade_no ?? '', page });
  });

  app.get('/orders/:order_no/receipt.pdf', options, async (request: RequestForOrder, reply) => {
    const { order_no } = request.params;
    const visitor = await deps.sessionUser(request.headers.cookie);
    if (visitor === null) return reply.redirect(signInForOrder(base_path, order_no), 303);
    const order = await readOwnOrder(deps, order_no, visitor);
    return sendReceipt(deps, request, reply, {
      ...{ order: shownCatalogOrder(order), trade_no: order.provider_trade_no ?? '' },
      page: base_path + orderPath(order_no),
    });
  });
}

interface Receipt {
  order: ShownOrder;
  trade_no: string;
  /** The page of the order: an order without a receipt leads there. */
  page: string;
}

async function sendReceipt(
  deps: CheckoutPageDeps,
  request: FastifyRequest,
  reply: FastifyReply,
  { order, trade_no, page }: Receipt,
): Promise<FastifyReply> {
  const { locale, brand } = deps.pages.context(request);
  const state = await readCheckout(deps, order, null, locale);
  const shown = { locale, ...(brand === undefined ? {} : { brand }) };
  const receipt = receiptText(state, shown, { trade_no, zone: queryText(request, 'zone') });
  if (receipt === null) return reply.redirect(page, 303);
  // Loaded here, as few processes make a PDF, and its library takes 20 MB (D-560).
  const { receiptPdf } = await import('./receipt-pdf.ts');
  return reply
    .type('application/pdf')
    .header('content-disposition', `attachment; filename="receipt-${order.order_no}.pdf"`)
    .send(receiptPdf(receipt, { locale, accent: accentOf(brand) }));
}

/** The accent that is readable on white paper. */
const accentOf = (brand: Brand | undefined): string =>
  brand?.schemes?.light.accent ?? defaultBranding.accent_colour;
