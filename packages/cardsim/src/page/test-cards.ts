import type { Decline } from '../records/records.ts';
/** The result of a payment with a card number. */
export type CardEffect = { result: 'success' } | { result: 'challenge' } | ({ result: 'decline' } & Decline);

export type TestCard = { number: string; brand: string; label: string; effect: CardEffect };

/** The numbers are those of the provider’s public test mode, so that existing scripts work. */
export const test_cards: readonly TestCard[] = [
  { number: '4242424242424242', brand: 'visa', label: 'Payment succeeds', effect: { result: 'success' } },
  {
    number: '5555555555554444',
    brand: 'mastercard',
    label: 'Payment succeeds',
    effect: { result: 'success' },
  },
  {
    number: '4000002760003184',
    brand: 'visa',
    label: '3-D Secure: asks for authentication',
    effect: { result: 'challenge' },
  },
  {
    number: '4000000000000002',
    brand: 'visa',
    label: 'Declined, without a reason',
    effect: {
      result: 'decline',
      code: 'card_declined',
      decline_code: 'generic_decline',
      message: 'Your card was declined.',
    },
  },
  {
    number: '4000000000009995',
    brand: 'visa',
    label: 'Declined: insufficient funds',
    effect: {
      result: 'decline',
      code: 'card_declined',
      decline_code: 'insufficient_funds',
      message: 'Your card has insufficient funds. Try a different card.',
    },
  },
  {
    number: '4000000000000069',
    brand: 'visa',
    label: 'Declined: expired card',
    effect: {
      result: 'decline',
      code: 'expired_card',
      message: 'Your card has expired. Try a different card.',
    },
  },
  {
    number: '4000000000000127',
    brand: 'visa',
    label: 'Declined: wrong security code',
    effect: { result: 'decline', code: 'incorrect_cvc', message: 'Your card’s security code is incorrect.' },
  },
];

export const success_card = '4242424242424242';

/** `4242 4242 4242 4242` */
export function formatCardNumber(number: string): string {
  return number.replace(/(\d{4})(?=\d)/g, '$1 ');
}

export type CardForm = { number: string; expiry: string; cvc: string; email: string };

/** Error messages by field; empty if all fields are valid. */
export type CardProblems = Partial<Record<keyof CardForm, string>>;

/**
 * Checks the form.
 *
 * @param now_seconds Unix seconds, to detect an expired card
 */
export function cardProblems(form: CardForm, now_seconds: number): CardProblems {
  const problems: CardProblems = {};
  if (!/^\S+@\S+$/.test(form.email)) problems.email = 'Enter an email address.';
  if (!/^\d{12,19}$/.test(digits(form.number))) problems.number = 'Enter a card number of 12 to 19 digits.';
  if (!/^\d{3,4}$/.test(form.cvc.trim())) problems.cvc = 'Enter the 3 or 4 digits of the security code.';
  const expiry = /^\s*(0[1-9]|1[0-2])\s*\/?\s*(\d{2})\s*$/.exec(form.expiry);
  if (expiry === null) problems.expiry = 'Enter the expiry as MM / YY.';
  else if (Date.UTC(2000 + Number(expiry[2]), Number(expiry[1])) / 1000 <= now_seconds) {
    problems.expiry = 'This date is in the past.';
  }
  return problems;
}

/** The test card with this number. Spaces in the number are ignored. */
export function findTestCard(number: string): TestCard | undefined {
  return test_cards.find((card) => card.number === digits(number));
}

function digits(number: string): string {
  return number.replace(/[\s-]/g, '');
}
