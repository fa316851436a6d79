/** What a visitor of a payment link does: opens it, and gets an order (D-222). */
import { AppError } from '../../base/errors.ts';
import { tokenHash } from '../../base/secret-box.ts';
import { createOrder, decodeCreateRequest } from '../creating/index.ts';
import type { CollectionDeps, CollectionOrder } from '../orders/index.ts';
import { amountOfVisit, keysOf, merchantOfLink, type PaymentLink } from './payment-link.ts';
import { countUse, giveUsesBack, selectLink } from './payment-link.sql.ts';

/** The link of an address, whether it still makes orders or not; null if there is none. */
export async function findLink(
  { db }: Pick<CollectionDeps, 'db'>,
  link: string,
): Promise<PaymentLink | null> {
  const merchant_id = merchantOfLink(link);
  return merchant_id === null ? null : selectLink(db, merchant_id, link);
}

/** One visit: the page that was shown, and the amount that was entered, if the link asks for one. */
export interface Visit {
  visit: string;
  entered: string | null;
}

/** The id of a visit, as the page got it: it cannot be guessed, so no visitor gets the order of another one. */
export const isVisit = (text: string): boolean => /^[A-Za-z0-9_-]{22}$/.test(text);

export const newVisit = ({ ids }: Pick<CollectionDeps, 'ids'>): string => ids.secret(16);

/**
 * The order of a visit, made as any other: same checks, quotes, notifications. The visit makes its idempotency key, so a
 * form that is sent twice gives one order, also after the link has ended. Readers of an order see its key, so that has a
 * hash of the visit: the visit itself leads to the checkout (D-971).
 *
 * Invariant: the order and its use are stored together, so at most `max_uses` orders of a link are open or paid,
 * whichever processes make them. One that expired unpaid makes room for another visit (D-392), so that visitors cannot
 * use up a link without paying.
 *
 * @throws AppError `payment_link_ended`; `merchant_inactive`; `payment_conflict` if the visit made an order with
 *   another amount; else the errors of a creation
 */
export async function orderOfVisit(
  deps: CollectionDeps,
  link: PaymentLink,
  { visit, entered }: Visit,
): Promise<CollectionOrder> {
  const merchant = await deps.findMerchant(link.merchant_id);
  if (merchant?.status !== 'active') throw new AppError('merchant_inactive');
  const currency = await deps.currencies.currency(link.currency);
  if (currency?.enabled !== true) throw new AppError('currency_unavailable', { field: 'currency' });
  const request = decodeCreateRequest({
    external_reference: link.external_reference,
    idempotency_key: keysOf(link) + tokenHash(visit).toString('base64url'),
    amount: amountOfVisit(link, entered, currency.decimals),
    currency: link.currency,
    description: link.description,
    expires_in: link.order_expires_in,
    return_url: link.return_url,
  });
  const create = (): Promise<CollectionOrder> =>
    createOrder(deps, link.merchant_id, request, {
      writes: ({ created_at }) => [countUse(link, created_at)],
    });
  try {
    return await create();
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'payment_link_ended' || link.max_uses === null)
      throw error;
    await deps.db.transaction((tx) => giveUsesBack(tx, link));
    return create();
  }
}
