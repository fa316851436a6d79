/**
 * `/pay/{link}`: the page of a payment link. A GET shows it and makes nothing (H-20); its form makes one ordinary
 * collection order and leads to the order's checkout.
 */
import { type PayLinkContext, renderPayLink } from '@paydesk/checkout';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { AppError } from '../../base/errors.ts';
import { amountTyped } from '../../base/input/typed-amount.ts';
import { formatMinor } from '../../base/money.ts';
import {
  brokenBound,
  findLink,
  isVisit,
  newVisit,
  orderOfVisit,
  type PaymentLink,
  statusOfLink,
} from '../../collection/links/index.ts';
import { requireSameOrigin } from '../../http/same-origin.ts';
import { sendPage } from '../../http/page.ts';
import { checkoutToken } from '../link/checkout-token.ts';
import { limitReads, limitStarts } from '../request/rate-limits.ts';
import { type CheckoutPageDeps, checkoutPath } from './checkout-page-routes.ts';

type ByLink = FastifyRequest<{ Params: { link: string } }>;

export function payLinkRoutes(app: FastifyInstance, deps: CheckoutPageDeps): void {
  const { base_path } = app.site;
  const errorHandler = deps.pages.retryingErrorHandler((request) => request.url.split('?')[0] ?? '');

  app.get('/pay/:link', { onRequest: limitReads(deps), errorHandler }, async (request: ByLink, reply) =>
    sendLink(deps, request, reply, { link: await openLink(deps, request.params.link) }),
  );

  app.post(
    '/pay/:link',
    { onRequest: limitStarts(deps), errorHandler, config: { body: 'form' } },
    async (request: ByLink, reply) => {
      requireSameOrigin(request);
      const link = await openLink(deps, request.params.link);
      // As for a client that creates orders: many visitors together are one caller.
      await deps.limiter.take('create', `link:${link.link}`);
      const form = request.body as URLSearchParams;
      const typed = form.get('amount') ?? '';
      const visit = form.get('visit') ?? '';
      try {
        if (!isVisit(visit)) throw new AppError('payment_conflict');
        const order = await orderOfVisit(deps, link, { visit, entered: amountTyped(typed) });
        const token = checkoutToken(deps.box, order);
        return await reply.redirect(base_path + checkoutPath(order, token), 303);
      } catch (error) {
        if (!(error instanceof AppError) || error.status >= 500) throw error;
        // The link was closed meanwhile, or another buyer took its last payment.
        const now = error.code === 'payment_link_ended' ? await openLink(deps, link.link) : link;
        return sendLink(deps, request, reply, { link: now, failure: error, typed });
      }
    },
  );
}

/** The link of an address. Throws `payment_not_found`, the same for a malformed and an unknown one. */
async function openLink(deps: CheckoutPageDeps, text: string): Promise<PaymentLink> {
  const link = await findLink(deps, text);
  if (link === null) throw new AppError('payment_not_found');
  return link;
}

interface Shown {
  link: PaymentLink;
  failure?: AppError;
  /** What the visitor typed as the amount. */
  typed?: string;
}

/** Sends the page of a link, with a new visit: what was refused can be sent again. */
async function sendLink(
  deps: CheckoutPageDeps,
  request: ByLink,
  reply: FastifyReply,
  { link, failure, typed = '' }: Shown,
): Promise<FastifyReply> {
  const [merchant, currency, logo_url] = await Promise.all([
    deps.findMerchant(link.merchant_id),
    deps.currencies.currency(link.currency),
    deps.logoUrl(link.merchant_id),
  ]);
  if (merchant === null) throw new AppError('payment_not_found');
  const ended = endOf(link, failure, deps.clock.now());
  // Said before the buyer fills in the form (D-530).
  const blocked = merchant.status !== 'active' || currency?.enabled !== true;
  const decimals = currency?.decimals ?? 2;
  const bound = failure?.code === 'invalid_amount' ? brokenBound(link, amountTyped(typed), decimals) : null;
  const context = deps.pages.context(request);
  const page: PayLinkContext = {
    ...context,
    link: link.link,
    merchant: { name: merchant.name, logo_url },
    description: link.description,
    currency: link.currency,
    amount: link.amount,
    min_amount: link.min_amount,
    max_amount: link.max_amount,
    // One that would be taken (D-1034).
    example: link.min_amount ?? formatMinor(10n ** BigInt(decimals), decimals),
    visit: newVisit(deps),
    ended,
    blocked,
    ...(failure === undefined
      ? {}
      : { failure: { code: failure.code, bound, retry_after_s: failure.detail.retry_after_s } }),
    typed,
  };
  return sendPage(reply, renderPayLink(page), {
    nonce: context.nonce,
    status: failure?.status ?? (ended !== null ? 410 : blocked ? 403 : 200),
  });
}

/** Why a link makes no more orders (D-511); null while it does. A visit that came too late for the last use sees it as used up. */
function endOf(link: PaymentLink, failure: AppError | undefined, now: Date): PayLinkContext['ended'] {
  const status = statusOfLink(link, now);
  if (status !== 'active') return status;
  return failure?.code === 'payment_link_ended' ? 'used_up' : null;
}
