/** Creates and closes payment links. */
import type { NewPaymentLink } from '@paydesk/contract';
import { AppError, invalid } from '../../base/errors.ts';
import { readInstant } from '../../base/input/instant.ts';
import { formatMinor } from '../../base/money.ts';
import type { Tx } from '../../base/pg/index.ts';
import type { Currency } from '../../currencies/index.ts';
import { decodeCreateRequest, minorOf, readAmount } from '../creating/index.ts';
import type { CollectionDeps } from '../orders/index.ts';
import { newLink, type PaymentLink } from './payment-link.ts';
import { closeLinkRow, insertLink, selectLink } from './payment-link.sql.ts';

type LinkDeps = Pick<CollectionDeps, 'currencies' | 'clock' | 'ids'>;

/**
 * A new link, checked as far as an order is checked before live data decide: amounts, description, addresses, lifetime.
 *
 * @param created_by the actor, as the audit log names it
 * @throws AppError the contract's code for the first wrong member; `invalid_request` where bounds and a fixed amount
 *   contradict each other, and where the end has passed
 */
export async function buildLink(
  { currencies, clock, ids }: LinkDeps,
  owner: { merchant_id: string; created_by: string },
  wanted: NewPaymentLink,
): Promise<PaymentLink> {
  const created_at = clock.now();
  const link = newLink(owner.merchant_id, (bytes) => ids.secret(bytes));
  const request = decodeCreateRequest({
    external_reference: wanted.external_reference ?? link,
    idempotency_key: link,
    amount: '1',
    currency: wanted.currency,
    description: wanted.description ?? null,
    expires_in: wanted.order_expires_in ?? null,
    return_url: wanted.return_url ?? null,
  });
  const currency = await currencies.currency(request.currency);
  if (currency?.enabled !== true) throw new AppError('currency_unavailable', { field: 'currency' });
  return {
    ...owner,
    link,
    external_reference: request.external_reference,
    description: request.description,
    currency: currency.code,
    ...amountsOf(wanted, currency),
    return_url: request.return_url,
    order_expires_in: request.expires_in,
    expires_at: endOf(wanted.expires_at ?? null, created_at),
    max_uses: wanted.max_uses ?? null,
    uses: 0,
    created_at,
    closed_at: null,
  };
}

export const storeLink = insertLink;

function amountsOf(
  { amount = null, min_amount = null, max_amount = null }: NewPaymentLink,
  currency: Currency,
): Pick<PaymentLink, 'amount' | 'min_amount' | 'max_amount'> {
  const [fixed, min, max] = [
    minorIn('amount', amount, currency),
    minorIn('min_amount', min_amount, currency),
    minorIn('max_amount', max_amount, currency),
  ];
  if (fixed !== null && (min !== null || max !== null)) {
    throw invalid('amount', 'A link has an amount, or bounds for the amount that visitors enter.');
  }
  if (min !== null && max !== null && min > max) {
    throw invalid('max_amount', 'max_amount must be at least min_amount.');
  }
  const text = (minor: bigint | null): string | null =>
    minor === null ? null : formatMinor(minor, currency.decimals);
  return { amount: text(fixed), min_amount: text(min), max_amount: text(max) };
}

function minorIn(field: string, text: string | null, currency: Currency): bigint | null {
  if (text === null) return null;
  try {
    return minorOf(readAmount({ amount: text }), currency);
  } catch (error) {
    throw error instanceof AppError ? new AppError(error.code, { ...error.detail, field }) : error;
  }
}

function endOf(text: string | null, now: Date): Date | null {
  if (text === null) return null;
  const at = readInstant('expires_at', text);
  if (at <= now) throw invalid('expires_at', 'expires_at must be in the future.');
  return at;
}

/** Closes a link permanently; closing it again changes nothing. Throws `not_found`. */
export async function closeLink(
  tx: Tx,
  { clock }: Pick<CollectionDeps, 'clock'>,
  merchant_id: string,
  link: string,
): Promise<{ before: PaymentLink; after: PaymentLink }> {
  const before = await selectLink(tx, merchant_id, link);
  if (before === null) throw new AppError('not_found');
  await closeLinkRow(tx, before, clock.now());
  const after = await selectLink(tx, merchant_id, link);
  if (after === null) throw new AppError('not_found');
  return { before, after };
}
