/**
 * The names of the card provider's methods, of card brands and of wallets. The server sends them: no script of the checkout
 * has them. The console reads them here, too.
 */
import type { Locale } from '../model/locale.ts';

type Names = Partial<Record<Locale, string>> & { en: string };

/** By the provider's kind of method. Where a language is missing, the English name is the one that is used there too. */
const methodNames: Readonly<Record<string, Names>> = {
  card: {
    en: 'Card',
    de: 'Karte',
    es: 'Tarjeta',
    fr: 'Carte bancaire',
    'zh-Hans': '银行卡',
    ja: 'カード',
    ar: 'بطاقة',
  },
  apple_pay: { en: 'Apple Pay' },
  google_pay: { en: 'Google Pay' },
  link: { en: 'Link' },
  paypal: { en: 'PayPal' },
  amazon_pay: { en: 'Amazon Pay' },
  revolut_pay: { en: 'Revolut Pay' },
  cashapp: { en: 'Cash App Pay' },
  klarna: { en: 'Klarna' },
  alipay: { en: 'Alipay', 'zh-Hans': '支付宝' },
  wechat_pay: { en: 'WeChat Pay', 'zh-Hans': '微信支付' },
  grabpay: { en: 'GrabPay' },
  paynow: { en: 'PayNow' },
  promptpay: { en: 'PromptPay' },
  ideal: { en: 'iDEAL' },
  bancontact: { en: 'Bancontact' },
  eps: { en: 'EPS' },
  p24: { en: 'Przelewy24' },
  blik: { en: 'BLIK' },
  twint: { en: 'TWINT' },
  mobilepay: { en: 'MobilePay' },
  sepa_debit: {
    en: 'SEPA Direct Debit',
    de: 'SEPA-Lastschrift',
    es: 'Adeudo directo SEPA',
    fr: 'Prélèvement SEPA',
    'zh-Hans': 'SEPA 直接借记',
    ja: 'SEPA 口座振替',
    ar: 'الخصم المباشر SEPA',
  },
  us_bank_account: {
    en: 'US bank account',
    de: 'US-Bankkonto',
    es: 'Cuenta bancaria de EE. UU.',
    fr: 'Compte bancaire américain',
    'zh-Hans': '美国银行账户',
    ja: '米国の銀行口座',
    ar: 'حساب بنكي أمريكي',
  },
  bacs_debit: { en: 'Bacs Direct Debit' },
  au_becs_debit: { en: 'BECS Direct Debit' },
};

/** The provider's kinds of method that have a name here: all that a channel can choose. */
export const namedMethodTypes: readonly string[] = Object.keys(methodNames);

const brandNames: Readonly<Record<string, string>> = {
  visa: 'Visa',
  mastercard: 'Mastercard',
  amex: 'American Express',
  discover: 'Discover',
  diners: 'Diners Club',
  jcb: 'JCB',
  unionpay: 'UnionPay',
  cartes_bancaires: 'Cartes Bancaires',
  eftpos_au: 'eftpos',
};

/** A name that the provider has added since: `kakao_pay` is `Kakao pay`. */
function plainName(type: string): string {
  const words = type.replaceAll('_', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** The name of a kind of method, such as `sepa_debit`, in a language. */
export function methodTypeName(type: string, locale: Locale): string {
  const names = Object.hasOwn(methodNames, type) ? methodNames[type] : undefined;
  return names?.[locale] ?? names?.en ?? plainName(type);
}

/** The name of a card's brand; null where it says nothing. */
export function brandName(brand: string): string | null {
  if (brand === 'unknown') return null;
  return (Object.hasOwn(brandNames, brand) ? brandNames[brand] : undefined) ?? plainName(brand);
}
