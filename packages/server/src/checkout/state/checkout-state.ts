import type { CheckoutMethod, CheckoutState } from '@paydesk/checkout';
import { rfc3339 } from '../../base/time/clock.ts';
import { formatMinor, ptk, ptkDecimals } from '../../base/money.ts';
import { type Channel, grantsBuyer, grantsMerchant, isConfigured } from '../../channels/index.ts';
import type { CollectionOrder } from '../../collection/orders/index.ts';
import type { Merchant } from '../../merchants/index.ts';
import { loginNeeded, type Attempt, counts, effectiveState } from '../../payments/attempts/index.ts';
import { type FeeFunds, feeToRaise, raise } from '../../payments/merchant-fees/index.ts';
import { type Quote, totalOf } from '../../payments/quotes/index.ts';

/** Who looks at the checkout: the signed-in person and what their own wallet holds. */
export interface Buyer {
  user_id: string;
  name: string;
  available_ptk: bigint;
}

/** What the page shows of an order of any kind. */
export type ShownOrder = Pick<
  CollectionOrder,
  | 'merchant_id'
  | 'order_no'
  | 'description'
  | 'external_reference'
  | 'amount_minor'
  | 'currency'
  | 'currency_decimals'
  | 'status'
  | 'expires_at'
  | 'test_mode'
  | 'return_url'
  | 'price_e12'
  | 'occurred_at_text'
>;

/** Everything the state is made of, read together. */
export interface CheckoutFacts {
  order: ShownOrder;
  quotes: readonly Quote[];
  attempts: readonly Attempt[];
  merchant: Merchant;
  /** Where its picture is on our own origin. */
  logo_url: string | null;
  channels: readonly Channel[];
  buyer: Buyer | null;
  /** What the merchant can pay fees from; null where no method could ask for it. Never shown. */
  fee_funds: FeeFunds | null;
  now: Date;
  real: Date;
}

/**
 * What the buyer's page shows: the order, the countdown by the server's clock, what each method costs and whether
 * this buyer can use it now. Holds nothing of the merchant's fees or settlement.
 */
export function checkoutState(facts: CheckoutFacts): CheckoutState {
  const { order, merchant, logo_url, buyer, attempts, now, real } = facts;
  const attempt = attempts.find(counts);
  const paid = order.status === 'paid';
  return {
    order_no: order.order_no,
    merchant: { name: merchant.name, logo_url },
    description: order.description === '' ? null : order.description,
    external_reference: order.external_reference,
    amount: formatMinor(order.amount_minor, order.currency_decimals),
    currency: order.currency,
    currency_decimals: order.currency_decimals,
    status: order.status,
    expires_at: rfc3339(order.expires_at),
    seconds_left: Math.max(0, Math.ceil((order.expires_at.getTime() - now.getTime()) / 1_000)),
    test_mode: order.test_mode,
    attempt:
      attempt === undefined ? null : { state: effectiveState(attempt, real), method_id: attempt.method_id },
    buyer:
      buyer === null
        ? null
        : { name: buyer.name, ptk_available: formatMinor(buyer.available_ptk, ptkDecimals) },
    methods: methodsFor(facts, attempt),
    ...(paid && order.return_url !== '' ? { return_url: order.return_url } : {}),
    ...(order.currency === ptk || order.price_e12 === 0n ? {} : { ptk_price: priceText(order.price_e12) }),
    occurred_at: order.occurred_at_text,
  };
}

/** In the order in which the channels were set up. */
function methodsFor(facts: CheckoutFacts, attempt: Attempt | undefined): CheckoutMethod[] {
  const { merchant } = facts;
  return facts.channels.flatMap((channel) => {
    const quote = facts.quotes.find(({ payment_no }) => payment_no === channel.payment_no);
    if (quote === undefined) return [];
    // Nothing would tell of a payment.
    if (!isConfigured(channel)) return [];
    // A test channel that is not granted to the merchant does not show at all.
    if (channel.test_mode && !grantsMerchant(channel, merchant.merchant_id)) return [];
    const unusable_reason = reasonAgainst(facts, channel, quote, attempt);
    return [
      {
        method_id: quote.method_id,
        name: channel.name,
        provider: quote.provider,
        login_required: loginNeeded(channel, merchant),
        test_mode: quote.test_mode,
        usable: unusable_reason === null,
        ...(unusable_reason === null ? {} : { unusable_reason }),
        payment_currency: quote.currency,
        payment_subtotal: formatMinor(quote.subtotal, quote.currency_decimals),
        buyer_fee: formatMinor(quote.buyer_fee, quote.currency_decimals),
        payment_amount: formatMinor(totalOf(quote), quote.currency_decimals),
      },
    ];
  });
}

/** The code that a start would give now, as far as it can be told beforehand; signing in is left to the buyer. */
function reasonAgainst(
  { merchant, buyer, fee_funds }: CheckoutFacts,
  channel: Channel,
  quote: Quote,
  attempt: Attempt | undefined,
): string | null {
  if (attempt !== undefined && attempt.method_id !== quote.method_id) return 'payment_conflict';
  const denied = channel.test_mode && !grantsBuyer(channel, merchant.merchant_id, buyer?.user_id ?? null);
  if (denied && buyer !== null) return 'payment_debug_access_denied';
  if (merchant.status !== 'active') return 'merchant_inactive';
  if (!channel.enabled) return channel.test_mode ? 'payment_debug_access_denied' : 'channel_unavailable';
  // A started attempt has its fee set aside already.
  if (attempt === undefined && fee_funds !== null && raise(feeToRaise(quote), fee_funds) === null) {
    return 'merchant_fee_funding_unavailable';
  }
  if (quote.provider !== 'ptk' || buyer === null) return null;
  if (buyer.user_id === merchant.owner_user_id) return 'self_payment_not_allowed';
  return buyer.available_ptk < totalOf(quote) ? 'insufficient_balance' : null;
}

/** The locked price of 1 PTK as a decimal string without needless zeros. */
function priceText(price_e12: bigint): string {
  return formatMinor(price_e12, 12).replace(/\.?0+$/, '');
}
