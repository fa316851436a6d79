/** Amounts as decimal strings: formatting and comparing without floats. */
/** `Intl` formats at most 100 fraction digits; no currency has more than 20. */
const grammar = /^(\d+)(?:\.(\d{1,20}))?$/;

/** A part of a formatted amount, so that a page can style the currency and the figures differently. */
export interface AmountPart {
  kind: 'currency' | 'figures';
  text: string;
}

/**
 * Formats a decimal string for a locale, digit by digit: the whole part is formatted as a bigint and the fraction is
 * inserted unchanged, so that no figure passes through a float. The currency is always shown by its code, because a
 * symbol such as `$` is used by many currencies. PTK has two decimals, or as many as it needs of its eight.
 *
 * @param amount decimal string in major units; its fraction digits are shown, never rounded
 * @param currency any code, even one that `Intl` does not know
 */
export function amountParts(amount: string, currency: string, locale: string): AmountPart[] {
  const match = grammar.exec(amount);
  if (match === null) return [{ kind: 'figures', text: `${currency}\u00a0${amount}` }];
  const [, whole = '0', digits = ''] = match;
  const fraction = currency === 'PTK' && digits.length > 2 ? keepDigits(digits, 2) : digits;
  const format = formatIn(locale, fraction.length);
  const parts: AmountPart[] = [];
  for (const { type, value } of format.formatToParts(BigInt(whole))) {
    if (type === 'currency') {
      parts.push({ kind: 'currency', text: currency });
    } else {
      append(parts, type === 'fraction' ? fraction : value);
    }
  }
  return parts;
}

/** By locale and number of fraction digits. Creating a format is the most expensive part of showing an amount. */
const formats = new Map<string, Intl.NumberFormat>();

function formatIn(locale: string, digits: number): Intl.NumberFormat {
  const key = `${locale} ${digits}`;
  let format = formats.get(key);
  if (format === undefined) {
    format = new Intl.NumberFormat(locale, {
      style: 'currency',
      // A placeholder: `Intl` accepts only codes of three letters. The part is replaced by the code itself.
      currency: 'XXX',
      currencyDisplay: 'code',
      minimumFractionDigits: digits,
      maximumFractionDigits: digits,
    });
    formats.set(key, format);
  }
  return format;
}

function append(parts: AmountPart[], text: string): void {
  const last = parts.at(-1);
  if (last?.kind === 'figures') last.text += text;
  else parts.push({ kind: 'figures', text });
}

/** A formatted amount as one string. */
export function formatAmount(amount: string, currency: string, locale: string): string {
  return amountParts(amount, currency, locale)
    .map((part) => part.text)
    .join('');
}

/** Whether a decimal string is zero. */
export const isZero = (amount: string): boolean => /^[0.]*$/.test(amount);

/**
 * The amount missing to `needed`, or null if `available` is enough; equal is enough. Both are decimal strings
 * of one currency; the result has the longer of the two fractions.
 */
export function shortfall(needed: string, available: string): string | null {
  const decimals = Math.max(fractionOf(needed).length, fractionOf(available).length);
  const missing = minorOf(needed, decimals) - minorOf(available, decimals);
  if (missing <= 0n) return null;
  const digits = missing.toString().padStart(decimals + 1, '0');
  return decimals === 0 ? digits : `${digits.slice(0, -decimals)}.${digits.slice(-decimals)}`;
}

/** A decimal string without trailing zeros, but with at least `keep` fraction digits; for rates. */
export function trimZeros(amount: string, keep: number): string {
  const [whole = '', fraction = ''] = amount.split('.');
  const kept = keepDigits(fraction, keep);
  return kept === '' ? whole : `${whole}.${kept}`;
}

/** Fraction digits without trailing zeros, but at least `keep` of them. */
const keepDigits = (fraction: string, keep: number): string =>
  fraction.slice(0, keep).padEnd(keep, '0') + fraction.slice(keep).replace(/0+$/, '');

const fractionOf = (amount: string): string => grammar.exec(amount)?.[2] ?? '';

function minorOf(amount: string, decimals: number): bigint {
  const [, whole = '0', fraction = ''] = grammar.exec(amount) ?? [];
  return BigInt(whole + fraction.padEnd(decimals, '0'));
}
