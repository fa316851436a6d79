/** Amounts as texts and bigint; never a floating-point number. */
import { decimalText } from '../texts/format.ts';

/** The number of decimals of PTK. */
export const ptkDecimals = 8;

/** A whole number of minor units as a decimal text: (1050n, 2) is `10.50`. */
export function decimalOf(minor: bigint, decimals: number): string {
  const digits = (minor < 0n ? -minor : minor).toString().padStart(decimals + 1, '0');
  const whole = digits.slice(0, digits.length - decimals);
  const fraction = decimals === 0 ? '' : `.${digits.slice(-decimals)}`;
  return `${minor < 0n ? '-' : ''}${whole}${fraction}`;
}

/** A decimal text as minor units; null if it is no decimal, or has more decimals than the currency. */
export function minorOf(text: string, decimals: number): bigint | null {
  const found = /^(-?)(\d+)(?:\.(\d+))?$/.exec(text.trim());
  if (found === null) return null;
  const [, sign = '', whole = '0', fraction = ''] = found;
  if (fraction.length > decimals) return null;
  const minor = BigInt(whole + fraction.padEnd(decimals, '0'));
  return sign === '-' ? -minor : minor;
}

/** A decimal text without zeros at its end, but for two decimals: `1.50000000` is `1.50`. */
export const trimmed = (decimal: string): string => decimal.replace(/(\.\d\d\d*?)0+$/, '$1');

/** An amount of PTK, with two decimals or as many as it needs (D-283). */
export const ptkText = (minor: bigint): string => decimalText(trimmed(decimalOf(minor, ptkDecimals)));

/** An amount as the console shows it, for a sentence (D-1218). */
export const amountText = (amount: string, currency: string): string =>
  `${decimalText(currency === 'PTK' ? trimmed(amount) : amount)} ${currency}`;

/** A typed amount of PTK in minor units; null if it is no amount. */
export const ptkMinorOf = (text: string): bigint | null => minorOf(text, ptkDecimals);

/** The number of decimals of a decimal text. */
export const decimalPlaces = (decimal: string): number => decimal.split('.')[1]?.length ?? 0;
