/** The methods by which an order can be paid, as the buyer's page shows them. */
import type { CheckoutMethod, Locale } from '@paydesk/checkout';
import { formatMinor } from '../../base/money.ts';
import { isCountedByCards } from '../../channels/card/index.ts';
import {
  type Channel,
  grantsBuyer,
  grantsMerchant,
  isConfigured,
  methodNeedsLogin,
  methodTypesFor,
} from '../../channels/index.ts';
import type { Merchant } from '../../merchants/index.ts';
import type { Attempt } from '../../payments/attempts/index.ts';
import { type FeeFunds, feeToReserve, splitFee } from '../../payments/merchant-fees/index.ts';
import { type Quote, totalOf } from '../../payments/quotes/index.ts';
import { shownName } from './shown-names.ts';

/** The signed-in person who looks at the checkout, with the balance of their own wallet. */
export interface Buyer {
  user_id: string;
  name: string;
  available_ptk: bigint;
  /** Whether the person owns the merchant, as its holder or with the role `owner` (D-085). */
  is_owner: boolean;
}

/** What the methods are shown from. */
export interface MethodFacts {
  quotes: readonly Quote[];
  merchant: Merchant;
  channels: readonly Channel[];
  buyer: Buyer | null;
  /** What the merchant can pay fees from; null if no method takes a fee. Never shown. */
  fee_funds: FeeFunds | null;
  /** The language of the page. */
  locale: Locale;
}

/**
 * The methods in the order in which their channels were created. A restricted order has one quote, so one method
 * . Each has its subtotal, fee and total, for PTK at the locked rate, and an id of this order
 * only.
 */
export function shownMethods(facts: MethodFacts, attempt: Attempt | undefined): CheckoutMethod[] {
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
        ...shownName(channel, quote.currency, facts.locale),
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
  { merchant, buyer, fee_funds }: MethodFacts,
  channel: Channel,
  quote: Quote,
  attempt: Attempt | undefined,
): string | null {
  if (attempt !== undefined && attempt.method_id !== quote.method_id) return 'payment_conflict';
  const denied = channel.test_mode && !grantsBuyer(channel, merchant.merchant_id, buyer?.user_id ?? null);
  if (denied && buyer !== null) return 'payment_debug_access_denied';
  if (merchant.status !== 'active') return 'merchant_inactive';
  if (!channel.enabled) return channel.test_mode ? 'payment_debug_access_denied' : 'channel_unavailable';
  // The channel has changed since the order was made (D-260), or cards would be charged another amount (D-915).
  const isPayable =
    methodTypesFor(channel.payment_method_types, quote.currency)?.length !== 0 &&
    (quote.provider === 'ptk' || isCountedByCards(quote));
  if (!isPayable && attempt === undefined) return 'channel_unavailable';
  // The fee of a started attempt is reserved already.
  if (attempt === undefined && fee_funds !== null && splitFee(feeToReserve(quote), fee_funds) === null) {
    return 'merchant_fee_funding_unavailable';
  }
  if (quote.provider !== 'ptk' || buyer === null) return null;
  if (buyer.is_owner) return 'self_payment_not_allowed';
  return buyer.available_ptk < totalOf(quote) ? 'insufficient_balance' : null;
}
