/** `/account/top-up`: a signed-in person names an amount, and pays it on the checkout of the order that it makes. */
import { renderTopUp } from '@paydesk/checkout';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { AppError } from '../../base/errors.ts';
import { formatMinor, ptkDecimals } from '../../base/money.ts';
import { isVisit, newVisit } from '../../collection/links/index.ts';
import { readTopUpOffer, startTopUp } from '../../collection/top-ups/index.ts';
import { sendPage } from '../../http/page.ts';
import { requireSameOrigin } from '../../http/same-origin.ts';
import { readUserBalance } from '../../ledger/books/index.ts';
import type { CheckoutVisitor } from '../request/deps.ts';
import { limitStarts } from '../request/rate-limits.ts';
import { type CheckoutPageDeps, pageAddress } from './checkout-page-routes.ts';
import { amountTyped } from './pay-link-routes.ts';
import { signInUrl } from './return-routes.ts';

const path = '/account/top-up';

export function topUpRoutes(app: FastifyInstance, deps: CheckoutPageDeps): void {
  const { base_path, public_url } = app.site;
  const { errorHandler } = deps.pages;
  const signIn = signInUrl(base_path, base_path + path);
  const return_url = `${public_url}/account`;

  app.get(path, { errorHandler }, async (request, reply) => {
    const visitor = await deps.sessionUser(request.headers.cookie);
    return visitor === null ? reply.redirect(signIn, 303) : sendTopUp(deps, request, reply, { visitor });
  });

  app.post(
    path,
    { onRequest: limitStarts(deps), errorHandler, config: { body: 'form' } },
    async (request, reply) => {
      requireSameOrigin(request);
      const visitor = await deps.sessionUser(request.headers.cookie);
      if (visitor === null) return reply.redirect(signIn, 303);
      const form = request.body as URLSearchParams;
      const visit = form.get('visit') ?? '';
      const typed = { amount: form.get('amount') ?? '', currency: form.get('currency') ?? '' };
      try {
        if (!isVisit(visit)) throw new AppError('payment_conflict');
        const order = await startTopUp(deps, {
          ...{ user_id: visitor.user_id, visit, return_url },
          ...{ amount: amountTyped(typed.amount), currency: typed.currency },
        });
        return await reply.redirect(pageAddress(deps, base_path, order), 303);
      } catch (failure) {
        if (!(failure instanceof AppError) || failure.status >= 500) throw failure;
        return sendTopUp(deps, request, reply, { visitor, failure, typed });
      }
    },
  );
}

interface Shown {
  visitor: CheckoutVisitor;
  failure?: AppError;
  typed?: { amount: string; currency: string };
}

/** Sends the form, with a new visit: what was refused can be sent again. */
async function sendTopUp(
  deps: CheckoutPageDeps,
  request: FastifyRequest,
  reply: FastifyReply,
  { visitor, failure, typed = { amount: '', currency: '' } }: Shown,
): Promise<FastifyReply> {
  const [available, offer] = await Promise.all([
    readUserBalance(deps.db, visitor.user_id),
    readTopUpOffer(deps, visitor.user_id),
  ]);
  const context = deps.pages.context(request);
  const ptkText = (limit: bigint | null): string | null =>
    limit === null ? null : formatMinor(limit, ptkDecimals);
  const html = renderTopUp({
    ...context,
    available_ptk: formatMinor(available, ptkDecimals),
    offer:
      offer === null
        ? null
        : {
            currencies: offer.currencies,
            max_per_payment: ptkText(offer.limits.max_per_payment),
            max_per_day: ptkText(offer.limits.max_per_day),
          },
    visit: newVisit(deps),
    typed,
    ...(failure === undefined ? {} : { failure: { code: failure.code, field: failure.detail.field } }),
  });
  return sendPage(reply, html, { nonce: context.nonce, status: failure?.status ?? 200 });
}
