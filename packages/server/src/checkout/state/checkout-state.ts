/**
 * The state that the buyer's page shows, computed from what was read. It holds nothing of the merchant's fees or
 * settlement.
 */
import type { CheckoutAttempt, CheckoutMethod, CheckoutState, Locale } from '@paydesk/checkout';
import { rfc3339 } from '../../base/time/clock.ts';
import { formatMinor, ptk, ptkDecimals } from '../../base/money.ts';
import {
  type Channel,
  daysUntilDecided,
  grantsBuyer,
  grantsMerchant,
  isConfigured,
  methodTypesFor,
} from '../../channels/index.ts';
import type { Merchant } from '../../merchants/index.ts';
import { methodNeedsLogin, type Attempt, counts, effectiveState } from '../../payments/attempts/index.ts';
import { versionOf } from '../../collection/watching/index.ts';
import { type FeeFunds, feeToReserve, splitFee } from '../../payments/merchant-fees/index.ts';
import { type Quote, totalOf } from '../../payments/quotes/index.ts';
import { shownMethod, shownPaidWith, shownWait } from './shown-method.ts';
import type { ShownOrder } from './shown-order.ts';

/** The signed-in person who looks at the checkout, with the balance of their own wallet. */
export interface Buyer {
  user_id: string;
  name: string;
  available_ptk: bigint;
  /** Whether the person owns the merchant, as its holder or with the role `owner` (D-085). */
  is_owner: boolean;
}

/** What the state is computed from. */
export interface CheckoutFacts {
  order: ShownOrder;
  quotes: readonly Quote[];
  attempts: readonly Attempt[];
  merchant: Merchant;
  /** The address of the merchant's logo on our own origin; null if there is none. */
  logo_url: string | null;
  channels: readonly Channel[];
  buyer: Buyer | null;
  /** What the merchant can pay fees from; null if no method takes a fee. Never shown. */
  fee_funds: FeeFunds | null;
  /** The language of the page. */
  locale: Locale;
  now: Date;
  real: Date;
}

/**
 * The order with merchant, description, both references, invoice and countdown by the server's clock, the
 * cost of each method, and whether this buyer can use it now. Only the signed-in buyer sees a balance
 * . Pure, so a preview stores nothing.
 */
export function checkoutState(facts: CheckoutFacts): CheckoutState {
  const { order, merchant, logo_url, buyer, attempts, now } = facts;
  const attempt = attempts.find(counts);
  const paid = order.status === 'paid';
  return {
    order_no: order.order_no,
    merchant: {
      name: merchant.name,
      logo_url,
      website_url: merchant.website_url === '' ? null : merchant.website_url,
      contact: merchant.contact === '' ? null : merchant.contact,
    },
    description: order.description === '' ? null : order.description,
    external_reference: order.external_reference,
    amount: formatMinor(order.amount_minor, order.currency_decimals),
    currency: order.currency,
    currency_decimals: order.currency_decimals,
    status: order.status,
    expires_at: rfc3339(order.expires_at),
    seconds_left: Math.max(0, Math.ceil((order.expires_at.getTime() - now.getTime()) / 1_000)),
    test_mode: order.test_mode,
    attempt: attempt === undefined ? null : shownAttempt(attempt, facts),
    buyer:
      buyer === null
        ? null
        : { name: buyer.name, ptk_available: formatMinor(buyer.available_ptk, ptkDecimals) },
    methods: methodsFor(facts, attempt),
    // Only a paid order shows the way back, as it was stored.
    ...(paid && order.return_url !== '' ? { return_url: order.return_url } : {}),
    ...(order.currency === ptk || order.price_e12 === 0n ? {} : { ptk_price: priceText(order.price_e12) }),
    occurred_at: order.occurred_at_text,
    ...versionIn(facts),
  };
}

/** The version from which the page's event stream goes on. The attempts come newest first. */
function versionIn({ order, attempts }: CheckoutFacts): { version?: string } {
  const { status_version, payment_no } = order;
  if (status_version === undefined || payment_no === undefined) return {};
  const states = attempts.map(({ state }) => state).reverse();
  return { version: versionOf({ status_version, payment_no, attempts: states.join(' ') }) };
}

function shownAttempt(
  attempt: Attempt,
  { real, locale }: Pick<CheckoutFacts, 'real' | 'locale'>,
): CheckoutAttempt {
  const { method_id, detail } = attempt;
  const { paid_with } = detail;
  const state = effectiveState(attempt, real);
  const days = state === 'processing' && paid_with !== undefined ? daysUntilDecided(paid_with.type) : null;
  return {
    state,
    method_id,
    ...(paid_with === undefined ? {} : { paid_with: shownPaidWith(paid_with, locale) }),
    ...shownWait(days, locale),
  };
}

/**
 * The methods in the order in which their channels were created. A restricted order has one quote, so one method
 * . Each has its subtotal, fee and total, for PTK at the locked rate, and an id of this order
 * only.
 */
function methodsFor(facts: CheckoutFacts, attempt: Attempt | undefined): CheckoutMethod[] {
  const { merchant } = facts;
  return facts.channels.flatMap((channel) => {
    const quote = facts.quotes.find(({ payment_no }) => payment_no === channel.payment_no);
    if (quote === undefined) return [];
    // Without a webhook, the service would not hear of a payment.
    if (!isConfigured(channel)) return [];
    // A test channel is hidden unless it is granted to the merchant.
    if (channel.test_mode && !grantsMerchant(channel, merchant.merchant_id)) return [];
    const unusable_reason = unusableReason(facts, channel, quote, attempt);
    return [
      {
        method_id: quote.method_id,
        ...shownMethod(channel, quote.currency, facts.locale),
        provider: quote.provider,
        login_required: methodNeedsLogin(channel, merchant),
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

/**
 * The error code that a start would give now, or null if the method can be used: another method is locked, a
 * test channel is not granted, the buyer is an owner of the merchant or has too little PTK. A
 * buyer who has to sign in first can use it (D-097).
 */
function unusableReason(
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
  // The channel has changed since the order was made (D-260).
  if (methodTypesFor(channel.payment_method_types, quote.currency)?.length === 0 && attempt === undefined) {
    return 'channel_unavailable';
  }
  // The fee of a started attempt is reserved already.
  if (attempt === undefined && fee_funds !== null && splitFee(feeToReserve(quote), fee_funds) === null) {
    return 'merchant_fee_funding_unavailable';
  }
  if (quote.provider !== 'ptk' || buyer === null) return null;
  if (buyer.is_owner) return 'self_payment_not_allowed';
  return buyer.available_ptk < totalOf(quote) ? 'insufficient_balance' : null;
}

/** The locked price of 1 PTK as a decimal string without trailing zeros. */
function priceText(price_e12: bigint): string {
  return formatMinor(price_e12, 12).replace(/\.?0+$/, '');
}
