/** What a buyer has paid with, as far as the card provider tells. */
import type Stripe from 'stripe';

/** Nothing else of a card or a bank account is kept (D-263). */
export interface PaidWith {
  /** The provider's kind of method, such as `card` or `sepa_debit`. */
  type: string;
  /** Of a card: `visa`, `mastercard`, … */
  brand?: string;
  /** The last four characters of the card or the bank account. */
  last4?: string;
  /** The wallet that held the card, such as `apple_pay`. */
  wallet?: string;
}

const word = /^[a-z0-9_]{1,40}$/;

/** Reads only what buyers are shown, and only in its form (D-263): the details hold much more. */
export function paidWith(
  details: Partial<Stripe.Charge.PaymentMethodDetails> | null | undefined,
): PaidWith | null {
  const { type, card } = details ?? {};
  if (typeof type !== 'string' || !word.test(type)) return null;
  const of_type = (details as Partial<Record<string, { last4?: unknown }>>)[type];
  const { brand } = card ?? {};
  const last4 = of_type?.last4;
  const wallet = card?.wallet?.type;
  return {
    type,
    ...(typeof brand === 'string' && word.test(brand) ? { brand } : {}),
    ...(typeof last4 === 'string' && /^[0-9A-Za-z]{4}$/.test(last4) ? { last4 } : {}),
    ...(typeof wallet === 'string' && word.test(wallet) ? { wallet } : {}),
  };
}
