/** Creates collection orders: checks a decoded request against live data and stores the order with its quotes. */
import { later, seconds } from '../../base/time/clock.ts';
import { answerWithin_ms } from '../../base/time/in-time.ts';
import { isUniqueViolation, type Tx, type Write } from '../../base/pg/index.ts';
import { grantsMerchant, ownerOf, servesMerchant, type Channel } from '../../channels/index.ts';
import { type Currency, priceAt } from '../../currencies/index.ts';
import type { Merchant } from '../../merchants/index.ts';
import { demandFeeFunds } from '../../payments/merchant-fees/index.ts';
import { type Invoice, invoiceOf, type Quote, quoteFor, insertQuotes } from '../../payments/quotes/index.ts';
import {
  type CollectionDeps,
  type CollectionOrder,
  insertOrder,
  nothingSelected,
  withQuote,
  announce,
} from '../orders/index.ts';
import { AppError, InvariantError } from '../../base/errors.ts';
import { formatMinor, ptk, ptkDecimals } from '../../base/money.ts';
import type { CreateRequest } from './create-request.ts';
import { answerUsedKey, refuseLostKey } from './idempotency.ts';
import { chooseNotifyTarget, sealTarget } from './notify-target.ts';
import { minorOf } from './requested-amount.ts';

/**
 * Creates a collection order, or returns the order that this idempotency key created before (R-101, D-030). Keys
 * belong to the merchant and never end, also when the order has expired. No product is needed
 * (R-008).
 *
 * Invariants:
 * - One statement stores the order, its quotes and its notification. It stores all of them or none.
 * - One key creates at most one order: the unique index on the key decides between concurrent requests (R-108, R-109,
 *   D-033). The reference need not be unique, and alone it repeats nothing.
 * - A used key always leads to its order, also after a crash (R-112, D-026). If a check of live data or the insert
 *   fails, the order of the key is read first: a currency or a channel that has changed since makes no difference.
 *   The error is thrown only if the key is new (D-012).
 *
 * @throws AppError `payment_conflict` if the key was used with other parameters, or for an order that a restore has
 *   lost; the contract's code if a currency, rate, channel or notification target is unavailable. Nothing is stored then
 *   (R-114, D-031).
 */
export async function createOrder(
  deps: CollectionDeps,
  merchant_id: string,
  request: CreateRequest,
  also: Also = {},
): Promise<CollectionOrder> {
  const begun_ms = performance.now();
  if (await deps.hasLostKeys(merchant_id)) await refuseLostKey(deps, merchant_id, request);
  try {
    const { order, quotes } = await buildOrder(deps, merchant_id, request, also.wallet_user_id);
    await storeOrder(deps, order, quotes, also);
    return order;
  } catch (error) {
    if (!isUniqueViolation(error) && !(error instanceof AppError)) throw error;
    const left_ms = answerWithin_ms - (performance.now() - begun_ms);
    return answerUsedKey(deps, merchant_id, request, error, left_ms);
  }
}

/** What an order has beyond a merchant's request. A repetition of its key does none of it. */
export interface Also {
  /** Is written with a new order, or not at all. */
  writes?: (order: CollectionOrder) => Write[];
  /** Runs first in the transaction that stores the order; throws if the order may not be made. */
  admit?: (tx: Tx, order: CollectionOrder) => Promise<void>;
  /** The person whose wallet gets the proceeds. The order can then be paid by cards on the platform's channels only. */
  wallet_user_id?: string;
}

/** Stores an order with its quotes and its notification, in one statement. */
export async function storeOrder(
  deps: CollectionDeps,
  order: CollectionOrder,
  quotes: readonly Quote[],
  { writes: further, admit }: Also = {},
): Promise<void> {
  const writes = [
    insertOrder(order),
    insertQuotes(order.merchant_id, order.order_no, quotes),
    ...announce(order, deps.ids, order.created_at),
  ];
  if (further === undefined && admit === undefined) {
    await deps.db.writeOnce(writes);
    return;
  }
  // A guard that does not hold rolls the whole transaction back.
  await deps.db.transaction(async (tx) => {
    await admit?.(tx, order);
    await tx.write([...(further?.(order) ?? []), ...writes]);
  });
}

/**
 * Builds a new order with its number (R-021, D-054), at version 1 (D-046, D-048). Its expiry, precision, rate, quotes
 * and hold are fixed from now on. Without a valid rate it is refused (R-141,
 * D-068), and without funds for the fee of any method (D-069). No buyer is stored.
 */
export async function buildOrder(
  deps: CollectionDeps,
  merchant_id: string,
  request: CreateRequest,
  wallet_user_id: string | null = null,
): Promise<{ order: CollectionOrder; quotes: Quote[] }> {
  const currency = await demandCurrency(deps, request.currency);
  const amount_minor = minorOf(request.amount, currency);
  const merchant = await deps.findMerchant(merchant_id);
  if (merchant === null) throw new InvariantError('the merchant of an authenticated client does not exist');
  const target = await chooseNotifyTarget(deps, merchant, request.notify);
  const served = await findQuotableChannels(deps, merchant, request.payment_no);
  const channels =
    wallet_user_id === null
      ? served
      : served.filter((channel) => fillsWallets(channel, merchant_id, wallet_user_id));
  const created_at = deps.clock.now();
  const price_e12 = priceAt(currency.code, await deps.currencies.rate(currency.code), created_at);
  if (price_e12 === null) throw new AppError('currency_rate_unavailable', { field: 'currency' });
  const invoice = invoiceOf(amount_minor, currency.code, currency.decimals, price_e12);
  const quotes = quotesOf(deps, channels, invoice);
  await demandFeeFunds(deps.db.lookups, merchant_id, quotes);
  const order_no = `mp_${deps.ids.ulid(created_at)}`;
  const open: CollectionOrder = {
    merchant_id,
    order_no,
    idempotency_key: request.idempotency_key,
    external_reference: request.external_reference,
    description: wallet_user_id === null ? request.description : ptkTitle(invoice.gross_settlement_ptk),
    requested_payment_no: request.payment_no,
    amount_minor,
    currency: currency.code,
    currency_decimals: currency.decimals,
    created_at,
    expires_in: request.expires_in,
    expires_at: later(created_at, seconds(request.expires_in)),
    return_url: request.return_url,
    ...sealTarget(deps, target, { merchant_id, order_no }),
    token_key_id: deps.box.inner_key_id,
    status: 'pending',
    status_version: 1,
    price_e12,
    gross_settlement_ptk: invoice.gross_settlement_ptk,
    hold_days: merchant.hold_days,
    fee_version: 1,
    ...nothingSelected,
    event_id: null,
    provider_trade_no: null,
    occurred_at: null,
    occurred_at_text: null,
    wallet_user_id,
  };
  const [only] = quotes;
  // A channel that the merchant requested is selected at creation (D-042).
  const order = request.payment_no !== '' && only !== undefined ? withQuote(open, only) : open;
  return { order, quotes };
}

/** The enabled currency with exactly this code (R-068, D-035). */
async function demandCurrency(deps: CollectionDeps, code: string): Promise<Currency> {
  const currency = await deps.currencies.currency(code);
  if (currency?.enabled !== true) throw new AppError('currency_unavailable', { field: 'currency' });
  return currency;
}

/**
 * Returns the channels that may be quoted: all that serve the merchant, where the buyer chooses, or the requested one, named
 * exactly. A test channel without a grant is refused (R-170, D-129).
 */
async function findQuotableChannels(
  deps: CollectionDeps,
  merchant: Merchant,
  payment_no: string,
): Promise<Channel[]> {
  const { merchant_id } = merchant;
  const channels = await deps.channels.of(merchant_id);
  if (payment_no === '') return channels.filter((channel) => servesMerchant(channel, merchant_id));
  const channel = channels.find((candidate) => candidate.payment_no === payment_no);
  if (channel?.test_mode === true && !(channel.enabled && grantsMerchant(channel, merchant_id))) {
    throw new AppError('payment_debug_access_denied');
  }
  if (channel === undefined || !servesMerchant(channel, merchant_id)) throw channelUnavailable();
  return [channel];
}

/**
 * Whether a person's top-ups can be paid on a channel: on the platform's own accounts at card providers. A test channel
 * must name the person, since no money is charged there for PTK that merchants accept.
 */
export const fillsWallets = (channel: Channel, merchant_id: string, user_id: string): boolean =>
  channel.provider === 'cardprov' &&
  ownerOf(channel) === 'platform' &&
  servesMerchant(channel, merchant_id) &&
  (!channel.test_mode || channel.debug_users.includes(user_id));

/** What a top-up buys, in words of every language. */
const ptkTitle = (amount: bigint): string =>
  `${formatMinor(amount, ptkDecimals).replace(/\.?0+$/, '')} ${ptk}`;

/** The quotes of an order, each under its own random id (D-120). */
function quotesOf(deps: CollectionDeps, channels: readonly Channel[], invoice: Invoice): Quote[] {
  const quotes = channels
    .map((channel) => quoteFor(channel, invoice, `pm_${deps.ids.secret(12)}`))
    .filter((quote) => quote !== null);
  // An order without a quote cannot be paid, so it is not created (D-055).
  if (quotes.length === 0) throw channelUnavailable();
  return quotes;
}

const channelUnavailable = (): AppError => new AppError('channel_unavailable');
