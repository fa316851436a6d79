/** Amounts as texts and bigint; never a floating-point number. */

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

/** `1234567.5` as `1,234,567.5`: grouped, not rounded. */
export function grouped(decimal: string): string {
  const [, sign = '', whole = '', rest = ''] = /^(-?)(\d+)(.*)$/.exec(decimal) ?? [];
  return `${sign === '' ? '' : '−'}${whole.replace(/\B(?=(\d{3})+$)/g, ',')}${rest}`;
}

/** An amount of PTK, with two decimals or as many as it needs. */
export const ptkText = (minor: bigint): string =>
  grouped(decimalOf(minor, ptkDecimals).replace(/0{1,6}$/, ''));

/** A typed amount of PTK in minor units; null if it is no amount. */
export const ptkMinorOf = (text: string): bigint | null => minorOf(text, ptkDecimals);
