/** Amounts of shop systems that count in smallest units, as decimal strings and back, without rounding. */
import { canonicalAmount } from '../decimal.ts';

/**
 * The decimal string of an amount in smallest units: `1050n` with 2 decimals is `10.50`.
 *
 * @param minor not negative
 * @param decimals how many digits the shop keeps after the point, which can differ from the currency's
 * @throws RangeError for a negative amount
 */
export function decimalOfMinor(minor: bigint, decimals: number): string {
  if (minor < 0n) throw new RangeError('an amount to collect is not negative');
  const digits = minor.toString().padStart(decimals + 1, '0');
  const at = digits.length - decimals;
  return decimals === 0 ? digits : `${digits.slice(0, at)}.${digits.slice(at)}`;
}

/**
 * The amount in smallest units, exactly: `10.5` with 2 decimals is `1050n`.
 *
 * @throws TypeError if it is not a decimal string
 * @throws RangeError if the shop has too few decimals for it (D-366)
 */
export function minorOfDecimal(amount: string, decimals: number): bigint {
  const canonical = canonicalAmount(amount);
  if (canonical === undefined) throw new TypeError('an amount is a decimal string such as "10.00"');
  const [whole = '', fraction = ''] = canonical.split('.');
  if (fraction.length > decimals) {
    throw new RangeError(`${amount} has more than the ${decimals} decimals that the shop keeps`);
  }
  return BigInt(whole + fraction.padEnd(decimals, '0'));
}
