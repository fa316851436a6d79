/** The payment methods that a session can name, and how each behaves. */

/**
 * How a method behaves:
 *
 * - `immediate`: paid or refused while the payer is on the page.
 * - `code`: the same, with a code to scan that runs out.
 * - `delayed`: the session completes unpaid; the bank confirms or refuses the payment days later.
 */
export type Manner = 'immediate' | 'code' | 'delayed';

export type Method = {
  name: string;
  manner: Manner;
  /** The only currencies that can be paid with it, in lower case. Absent: all. */
  currencies?: readonly string[];
};

/** By their names in `payment_method_types`. */
export const methods: { [type: string]: Method } = {
  card: { name: 'Card', manner: 'immediate' },
  link: { name: 'Link', manner: 'immediate' },
  paypal: { name: 'PayPal', manner: 'immediate' },
  amazon_pay: { name: 'Amazon Pay', manner: 'immediate' },
  revolut_pay: { name: 'Revolut Pay', manner: 'immediate' },
  cashapp: { name: 'Cash App Pay', manner: 'code', currencies: ['usd'] },
  klarna: { name: 'Klarna', manner: 'immediate' },
  alipay: { name: 'Alipay', manner: 'code' },
  wechat_pay: { name: 'WeChat Pay', manner: 'code' },
  grabpay: { name: 'GrabPay', manner: 'immediate', currencies: ['myr', 'sgd'] },
  paynow: { name: 'PayNow', manner: 'code', currencies: ['sgd'] },
  promptpay: { name: 'PromptPay', manner: 'code', currencies: ['thb'] },
  ideal: { name: 'iDEAL', manner: 'immediate', currencies: ['eur'] },
  bancontact: { name: 'Bancontact', manner: 'immediate', currencies: ['eur'] },
  eps: { name: 'EPS', manner: 'immediate', currencies: ['eur'] },
  p24: { name: 'Przelewy24', manner: 'immediate', currencies: ['eur', 'pln'] },
  blik: { name: 'BLIK', manner: 'code', currencies: ['pln'] },
  twint: { name: 'TWINT', manner: 'code', currencies: ['chf'] },
  mobilepay: { name: 'MobilePay', manner: 'immediate', currencies: ['dkk', 'eur', 'nok', 'sek'] },
  sepa_debit: { name: 'SEPA Direct Debit', manner: 'delayed', currencies: ['eur'] },
  us_bank_account: { name: 'ACH Direct Debit', manner: 'delayed', currencies: ['usd'] },
  bacs_debit: { name: 'Bacs Direct Debit', manner: 'delayed', currencies: ['gbp'] },
  au_becs_debit: { name: 'BECS Direct Debit', manner: 'delayed', currencies: ['aud'] },
};

/** The methods of a session that names none. */
export const default_methods: readonly string[] = ['card', 'sepa_debit'];

/** Wallets on a phone. They pay with a card, so they are offered with `card`. */
export const wallets: { [type: string]: string } = { apple_pay: 'Apple Pay', google_pay: 'Google Pay' };

/** Everything that can pay a session, wallets included. */
export const payableBy = (types: readonly string[]): string[] =>
  types.flatMap((type) => (type === 'card' ? ['card', ...Object.keys(wallets)] : [type]));
