/** The methods of the card provider: which currencies each can pay, and how long an asynchronous one takes. */
import type { PaymentMethodType } from '@paydesk/contract';
import { invalid } from '../base/errors.ts';

interface MethodRules {
  /** The only currencies that it can pay. Absent: the provider decides, by the account. */
  currencies?: readonly string[];
  /** Asynchronous: the longest time in days until the provider knows whether it is paid. */
  days?: number;
  /** Offered with cards, wherever the device has it. The provider takes no parameter for it. */
  with_card?: true;
}

/**
 * The days are the provider's business days (14 for SEPA, 7 for Bacs with a new mandate, 4 for ACH, 3 for BECS), with
 * weekends between them.
 */
const rules: Readonly<Record<PaymentMethodType, MethodRules>> = {
  card: {},
  apple_pay: { with_card: true },
  google_pay: { with_card: true },
  link: {},
  paypal: {},
  amazon_pay: {},
  revolut_pay: {},
  cashapp: { currencies: ['USD'] },
  klarna: {},
  alipay: {},
  wechat_pay: {},
  grabpay: { currencies: ['MYR', 'SGD'] },
  paynow: { currencies: ['SGD'] },
  promptpay: { currencies: ['THB'] },
  ideal: { currencies: ['EUR'] },
  bancontact: { currencies: ['EUR'] },
  eps: { currencies: ['EUR'] },
  p24: { currencies: ['EUR', 'PLN'] },
  blik: { currencies: ['PLN'] },
  twint: { currencies: ['CHF'] },
  mobilepay: { currencies: ['DKK', 'EUR', 'NOK', 'SEK'] },
  sepa_debit: { currencies: ['EUR'], days: 20 },
  us_bank_account: { currencies: ['USD'], days: 6 },
  bacs_debit: { currencies: ['GBP'], days: 11 },
  au_becs_debit: { currencies: ['AUD'], days: 5 },
};

const isKnown = (type: string): type is PaymentMethodType => Object.hasOwn(rules, type);

/** The longest time in days until an asynchronous method is decided; null for the others, and for an unknown type. */
export const daysUntilDecided = (type: string): number | null =>
  isKnown(type) ? (rules[type].days ?? null) : null;

/**
 * The chosen methods that can pay in a currency (D-260).
 *
 * @param chosen of the channel; empty where its account decides
 * @returns null where the account decides
 */
export function methodTypesFor(
  chosen: readonly PaymentMethodType[],
  currency: string,
): PaymentMethodType[] | null {
  if (chosen.length === 0) return null;
  return chosen.filter((type) => rules[type].currencies?.includes(currency) !== false);
}

/** The methods to name to the provider. It offers phone wallets by itself wherever it takes cards. */
export const typesForProvider = (types: readonly PaymentMethodType[]): PaymentMethodType[] =>
  types.filter((type) => rules[type].with_card !== true);

/** Checks the methods of a channel. Throws `invalid_request` with `config.payment_method_types`. */
export function checkMethodTypes(chosen: readonly PaymentMethodType[], currencies: readonly string[]): void {
  const field = 'config.payment_method_types';
  const wallet = chosen.find((type) => rules[type].with_card === true);
  if (wallet !== undefined && !chosen.includes('card')) {
    throw invalid(field, `${wallet} pays with a card: choose card as well.`);
  }
  for (const currency of currencies) {
    if (methodTypesFor(chosen, currency)?.length === 0) {
      throw invalid(field, `None of these methods can pay in ${currency}.`);
    }
  }
}
