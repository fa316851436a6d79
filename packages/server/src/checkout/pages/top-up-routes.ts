/**
 * `/account/top-up`: a signed-in person names an amount, and pays it on the checkout of the order that it makes. A
 * guest signs in first (D-360).
 */
import { renderTopUp } from '@paydesk/checkout';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { AppError } from '../../base/errors.ts';
import { amountTyped } from '../../base/input/typed-amount.ts';
import { formatMinor, parseDecimal, ptkDecimals, toMinor } from '../../base/money.ts';
import { isVisit, newVisit } from '../../collection/links/index.ts';
import { amountGiving, readTopUpOffer, startTopUp } from '../../collection/top-ups/index.ts';
import { sendPage } from '../../http/page.ts';
import { requireSameOrigin } from '../../http/same-origin.ts';
import { readUserBalance } from '../../ledger/books/index.ts';
import type { CheckoutVisitor } from '../request/deps.ts';
import { limitStarts } from '../request/rate-limits.ts';
import { type CheckoutPageDeps, pageAddress } from './checkout-page-routes.ts';
import { signInUrl } from './provider-return-routes.ts';
import { type Behind, behindIn, topUpPathFor, wayBack } from './top-up-for-order.ts';

const path = '/account/top-up';

export function topUpRoutes(app: FastifyInstance, deps: CheckoutPageDeps): void {
  const { base_path, public_url } = app.site;
  const { errorHandler } = deps.pages;
  /** The form again, for the same order (D-1217). */
  const pathFor = (behind: Behind | null, { currency }: { currency: string }): string => {
    if (behind === null) return base_path + path;
    const { order_no, need, method_id } = behind;
    return `${topUpPathFor(base_path, order_no)}&${new URLSearchParams({ currency, need, method: method_id }).toString()}`;
  };

  app.get(path, { errorHandler }, async (request, reply) => {
    const visitor = await deps.sessionUser(request.headers.cookie);
    if (visitor === null) return reply.redirect(signInUrl(base_path, request.originalUrl), 303);
    const asked = new URL(request.originalUrl, public_url).searchParams;
    const behind = behindIn(asked);
    const typed = await enoughFor(deps, visitor.user_id, {
      need: behind?.need ?? '',
      currency: asked.get('currency') ?? '',
    });
    return sendTopUp(deps, request, reply, { visitor, typed, behind });
  });

  app.post(
    path,
    { onRequest: limitStarts(deps), errorHandler, config: { body: 'form' } },
    async (request, reply) => {
      requireSameOrigin(request);
      const visitor = await deps.sessionUser(request.headers.cookie);
      const form = request.body as URLSearchParams;
      const behind = behindIn(form);
      const typed = { amount: form.get('amount') ?? '', currency: form.get('currency') ?? '' };
      if (visitor === null) return reply.redirect(signInUrl(base_path, pathFor(behind, typed)), 303);
      const visit = form.get('visit') ?? '';
      const return_url = public_url + (behind === null ? '/account' : wayBack(behind));
      try {
        if (!isVisit(visit)) throw new AppError('payment_conflict');
        const order = await startTopUp(deps, {
          ...{ user_id: visitor.user_id, visit, return_url },
          ...{ amount: amountTyped(typed.amount), currency: typed.currency },
        });
        return await reply.redirect(pageAddress(deps, base_path, order), 303);
      } catch (failure) {
        if (!(failure instanceof AppError) || failure.status >= 500) throw failure;
        return sendTopUp(deps, request, reply, { visitor, failure, typed, behind });
      }
    },
  );
}

/** The form filled in with an amount that gives at least so much PTK (D-376), in the order's currency where people can top up
 * in it (D-690); empty where none is needed. */
async function enoughFor(
  deps: CheckoutPageDeps,
  user_id: string,
  { need, currency }: { need: string; currency: string },
): Promise<{ amount: string; currency: string }> {
  const wanted = parseDecimal(need);
  const needed_ptk = wanted === null ? null : toMinor(wanted, ptkDecimals);
  const empty = { amount: '', currency: '' };
  return needed_ptk === null ? empty : ((await amountGiving(deps, user_id, needed_ptk, currency)) ?? empty);
}

interface Shown {
  visitor: CheckoutVisitor;
  failure?: AppError;
  typed: { amount: string; currency: string };
  behind: Behind | null;
}

/** Sends the form, with a new visit: what was refused can be sent again. */
async function sendTopUp(
  deps: CheckoutPageDeps,
  request: FastifyRequest,
  reply: FastifyReply,
  { visitor, failure, typed, behind }: Shown,
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
    behind: behind === null ? null : { ...behind, path: reply.server.site.base_path + wayBack(behind) },
    ...(failure === undefined ? {} : { failure: { code: failure.code, field: failure.detail.field } }),
  });
  return sendPage(reply, html, { nonce: context.nonce, status: failure?.status ?? 200 });
}
