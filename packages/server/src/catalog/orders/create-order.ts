/** Creates catalog orders: checks a decoded request, fixes the price and the quote, and takes the stock. */
import { later, minutes } from '../../base/time/clock.ts';
import type { Tx } from '../../base/pg/index.ts';
import { type Channel, grantsBuyer, isConfigured, ownerOf, servesMerchant } from '../../channels/index.ts';
import { type Currency, fromPtk, priceAt } from '../../currencies/index.ts';
import type { Merchant } from '../../merchants/index.ts';
import { demandFeeFunds } from '../../payments/merchant-fees/index.ts';
import {
  type Invoice,
  invoiceOf,
  type Quote,
  quoteFor,
  settlementOf,
  insertQuotes,
} from '../../payments/quotes/index.ts';
import {
  type Amounts,
  amountsOf,
  checkInputs,
  checkQuantity,
  type Product,
  selectProduct,
  selectProductForUpdate,
  takeStock,
} from '../products/index.ts';
import { AppError, InvariantError } from '../../base/errors.ts';
import { maxOf } from '../../base/money.ts';
import type { OrderRequest } from './create-request.ts';
import type { CatalogOrderDeps } from './deps.ts';
import { type CatalogOrder, orderPrefix } from './order.ts';
import { countUnpaid, insertOrder } from './order.sql.ts';

/** The user who orders, and the client that acts for the user at its merchant. */
export interface OrderingUser {
  merchant_id: string;
  user_id: string;
  client_id: string;
}

/** How long an order waits for its payment and keeps its stock (D-177). */
const lifetime_ms = minutes(30);

/** Maximum number of unpaid orders per user and product (D-178). */
const mostUnpaid = 20;

/** What an order is built with. */
export type BuildDeps = Omit<CatalogOrderDeps, 'queueMail'>;

/** The live data that an order needs besides its product. It is read before the product is locked. */
interface Conditions {
  merchant: Merchant;
  channel: Channel | null;
  currency: Currency | null;
  price_e12: bigint | null;
  now: Date;
}

/**
 * Creates a catalog order and takes its stock (R-349, D-178). The price comes from the product, never from the request
 * (R-354, R-359, D-181). The quote of the one channel is fixed (D-179). Each call makes another order.
 *
 * Invariants:
 * - The order, its quote and the stock change in one transaction.
 * - Stock never falls below zero. The quantity and the limits (of 0 is none, R-345) are checked again under the lock of the
 *   product's row, so only one of several concurrent buyers gets the last item.
 * - The lock is held for two round trips.
 *
 * @throws AppError with 422 for a condition that is not met: `product_not_found`; `purchase_limit_exceeded`,
 *   `out_of_stock`, `input_required`, `input_unknown`, `too_many_unpaid_orders`, `channel_unavailable`,
 *   `payment_debug_access_denied`, `currency_unavailable`, `currency_rate_unavailable`,
 *   `merchant_fee_funding_unavailable`
 */
export async function createOrder(
  deps: CatalogOrderDeps,
  buyer: OrderingUser,
  request: OrderRequest,
): Promise<CatalogOrder> {
  const { merchant_id } = buyer;
  const seen = demandProduct(await selectProduct(deps.db.lookups, merchant_id, request.gd_no));
  checkQuantity(seen, request.quantity);
  const conditions = await readConditions(deps, buyer, seen, request);
  return deps.db.transaction(async (tx) => {
    const [locked, unpaid] = await Promise.all([
      selectProductForUpdate(tx, merchant_id, request.gd_no),
      countUnpaid(tx, merchant_id, buyer.user_id, request.gd_no),
    ]);
    const product = demandProduct(locked);
    checkQuantity(product, request.quantity);
    if (unpaid >= mostUnpaid) throw new AppError('too_many_unpaid_orders');
    if (product.currency !== seen.currency) throw new AppError('service_unavailable', { retry_after_s: 1 });
    const ordered = { ...request, other_ipu: checkInputs(product.other_ipu_cnf, request.other_ipu) };
    const { order, quote } = await buildOrder(deps, tx, buyer, product, ordered, conditions);
    await storeOrder(tx, order, quote);
    return order;
  });
}

/** Stores an order with its quote, takes its stock, and commits. */
export const storeOrder = (tx: Tx, order: CatalogOrder, quote: Quote): Promise<void> =>
  tx.finish([
    insertOrder(order),
    insertQuotes(order.merchant_id, order.order_no, [quote]),
    takeStock(order.merchant_id, order),
  ]);

/** Gives the same error for an unknown product, another merchant's and one that is not for sale (R-350, D-175). */
function demandProduct(product: Product | null): Product {
  if (product?.enabled !== true) throw new AppError('product_not_found');
  return product;
}

/** Reads the live data for an order, outside of its transaction. */
export async function readConditions(
  deps: BuildDeps,
  { merchant_id }: OrderingUser,
  product: Pick<Product, 'currency'>,
  { payment_no }: Pick<OrderRequest, 'payment_no'>,
): Promise<Conditions> {
  const [merchant, channels, currency, rate] = await Promise.all([
    deps.findMerchant(merchant_id),
    deps.channels.of(merchant_id),
    deps.currencies.currency(product.currency),
    deps.currencies.rate(product.currency),
  ]);
  if (merchant === null) throw new InvariantError('the merchant of an authenticated client does not exist');
  const now = deps.clock.now();
  return {
    merchant,
    channel: channels.find((known) => known.payment_no === payment_no) ?? null,
    currency,
    price_e12: priceAt(product.currency, rate, now),
    now,
  };
}

/** What is ordered of a product. */
interface Ordered {
  quantity: number;
  /** Checked. */
  other_ipu: Record<string, string>;
  /** What a lost order cost. Absent: what the product costs now. */
  agreed?: Amounts;
}

/**
 * Builds an order with its quote, by the product's rules and today's conditions.
 *
 * @param product locked
 * @throws AppError as `createOrder`, for the channel, the currency, the rate and the merchant's fee
 */
export async function buildOrder(
  deps: BuildDeps,
  tx: Tx,
  buyer: OrderingUser,
  product: Product,
  { quantity, other_ipu, agreed }: Ordered,
  conditions: Conditions,
): Promise<{ order: CatalogOrder; quote: Quote }> {
  const { merchant, currency, price_e12, now } = conditions;
  const channel = usableChannel(conditions, product, buyer.user_id);
  if (currency?.enabled !== true) throw new AppError('currency_unavailable');
  if (price_e12 === null) throw new AppError('currency_rate_unavailable');
  const amounts = agreed ?? amountsOf(product, quantity, currency.decimals);
  const invoice = payableInvoice(amounts, currency, price_e12);
  const quote = quoteFor(channel, invoice, `pm_${deps.ids.secret(12)}`);
  if (quote === null) throw channelUnavailable();
  await demandFeeFunds(tx, buyer.merchant_id, [quote]);
  const order: CatalogOrder = {
    ...buyer,
    order_no: `${orderPrefix}${deps.ids.ulid(now)}`,
    gd_no: product.gd_no,
    title: product.gd_name,
    quantity,
    other_ipu,
    currency: currency.code,
    currency_decimals: currency.decimals,
    ...amounts,
    handling_amount: handlingOf(quote, invoice),
    payment_methods: product.payment_policy === 'allowlist' ? product.payment_methods : [],
    payment_no: quote.payment_no,
    payment_name: channel.name,
    method_id: quote.method_id,
    test_mode: quote.test_mode,
    payment_currency: quote.currency,
    payment_decimals: quote.currency_decimals,
    payment_subtotal: quote.subtotal,
    buyer_fee: quote.buyer_fee,
    merchant_fee_ptk: quote.merchant_fee_ptk,
    settlement_ptk: settlementOf(quote, invoice.gross_settlement_ptk),
    price_e12,
    gross_settlement_ptk: invoice.gross_settlement_ptk,
    hold_days: merchant.hold_days,
    state: 'pending',
    state_version: 1,
    reversed: null,
    created_at: now,
    updated_at: now,
    expires_at: later(now, lifetime_ms),
    provider_trade_no: null,
    paid_at: null,
    fulfil_at: null,
    completed_at: null,
    delivery_note_box: null,
    made_again: agreed !== undefined,
  };
  return { order, quote };
}

/**
 * Returns the requested channel if the product's policy and the platform let this buyer use it (R-352, D-185). A test
 * channel without a grant has its own error, unless it belongs to another merchant (D-129).
 */
function usableChannel({ channel, merchant }: Conditions, product: Product, user_id: string): Channel {
  const { merchant_id } = merchant;
  if (channel === null || (ownerOf(channel) === 'merchant' && channel.merchant_id !== merchant_id)) {
    throw channelUnavailable();
  }
  if (product.payment_policy === 'allowlist' && !product.payment_methods.includes(channel.payment_no)) {
    throw channelUnavailable();
  }
  if (channel.test_mode && !(channel.enabled && grantsBuyer(channel, merchant_id, user_id))) {
    throw new AppError('payment_debug_access_denied');
  }
  if (!isConfigured(channel) || !servesMerchant(channel, merchant_id)) throw channelUnavailable();
  return channel;
}

/** Returns the amount to pay. It must be within the limits of its currency (D-040). */
function payableInvoice(
  { total_amount, discount_amount }: Amounts,
  { code, decimals, min_minor, max_minor }: Currency,
  price_e12: bigint,
): Invoice {
  const minor = total_amount - discount_amount;
  if (minor > max_minor) throw new AppError('purchase_limit_exceeded', { field: 'quantity' });
  // The amount is below the minimum of its currency, so no channel can take it.
  if (minor < min_minor) throw channelUnavailable();
  return invoiceOf(minor, code, decimals, price_e12);
}

/** Converts the buyer's fee to the currency of the price. A positive fee is at least one minor unit (D-064, D-181). */
function handlingOf({ currency, buyer_fee }: Quote, invoice: Invoice): bigint {
  if (currency === invoice.currency || buyer_fee === 0n) return buyer_fee;
  return maxOf(1n, fromPtk(buyer_fee, invoice.decimals, invoice.price_e12));
}

const channelUnavailable = (): AppError => new AppError('channel_unavailable', { field: 'payment_no' });
