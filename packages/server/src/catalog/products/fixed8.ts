/** Amounts of the catalog at 8-decimal fixed point, as `bigint`, exact beyond 2^53 (R-343, D-182). */
import { formatMinor } from '../../base/money.ts';

/** Number of decimals of every amount of the catalog, in every currency. */
export const fixed8Digits = 8;

/** Number of units of the 8-decimal scale in one minor unit of a currency. */
export const unitsPerMinor = (decimals: number): bigint => 10n ** BigInt(fixed8Digits - decimals);

/** Writes an amount of the catalog as a decimal text, with at least the decimals of its currency. */
export function fixed8Text(value: bigint, decimals: number): string {
  const [whole = '0', fraction = ''] = formatMinor(value, fixed8Digits).split('.');
  const short = fraction.replace(/0+$/, '').padEnd(decimals, '0');
  return short === '' ? whole : `${whole}.${short}`;
}
