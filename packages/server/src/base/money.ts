/**
 * Amounts of money: exact, as bigint in minor units, never as floating-point numbers (R-055, D-022). What a creation
 * request may send as its amount is in `collection/creating/requested-amount.ts`.
 */

/** Number of fraction digits of PTK, the platform's own token. */
export const ptkDecimals = 8;

/** The code of the token currency. Providers and member names write `ptk` (R-003, D-001). */
export const ptk = 'PTK';

/** The largest minor amount an order may have, so that `amount_minor` is exact in every client (R-026, D-039). */
export const maxMinor = 9_007_199_254_740_991n;

/** An amount as the sender wrote it, without a currency: exactly `digits / 10^scale`. */
export interface Decimal {
  digits: bigint;
  scale: number;
}

const grammar = /^([0-9]+)(?:\.([0-9]+))?$/;

/**
 * Reads ASCII digits with at most one point between them, such as `12` or `12.50`. Nothing is trimmed.
 * Leading zeros do not count (R-091, D-038).
 *
 * @returns null if the text is not such a number
 */
export function parseDecimal(text: string): Decimal | null {
  const match = grammar.exec(text);
  if (match === null) return null;
  const [, whole = '', fraction = ''] = match;
  return { digits: BigInt(whole + fraction), scale: fraction.length };
}

/**
 * The minor units of a decimal, never rounded; null if it has non-zero digits beyond the precision (R-092,
 *
 */
export function toMinor(value: Decimal, decimals: number): bigint | null {
  if (value.scale <= decimals) return value.digits * 10n ** BigInt(decimals - value.scale);
  const excess = 10n ** BigInt(value.scale - decimals);
  return value.digits % excess === 0n ? value.digits / excess : null;
}

/** Whether a decimal and an amount in minor units are equal (R-099, D-028). */
export function sameAmount(value: Decimal, minor: bigint, decimals: number): boolean {
  return value.digits * 10n ** BigInt(decimals) === minor * 10n ** BigInt(value.scale);
}

/**
 * An amount in minor units as a decimal string with exactly `decimals` fraction digits, the same everywhere (R-024,
 *
 */
export function formatMinor(minor: bigint, decimals: number): string {
  const sign = minor < 0n ? '-' : '';
  const digits = (minor < 0n ? -minor : minor).toString().padStart(decimals + 1, '0');
  if (decimals === 0) return sign + digits;
  return `${sign}${digits.slice(0, -decimals)}.${digits.slice(-decimals)}`;
}

/** An amount of PTK in minor units as a decimal string; null stays null. */
export const ptkText = (units: string | null | undefined): string | null =>
  units === null || units === undefined ? null : formatMinor(BigInt(units), ptkDecimals);

/** `numerator / denominator` rounded half up, for non-negative numbers (D-058, D-060). */
export function divideHalfUp(numerator: bigint, denominator: bigint): bigint {
  return (2n * numerator + denominator) / (2n * denominator);
}

export const minOf = (a: bigint, b: bigint): bigint => (a < b ? a : b);
export const maxOf = (a: bigint, b: bigint): bigint => (a > b ? a : b);
