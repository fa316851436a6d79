import { formatMinor } from '../../base/money.ts';

/** Digits after the point of every amount of the catalog, whatever its currency's own precision (D-182). */
export const fixed8Digits = 8;

/** How many units of the 8-decimal scale make one minor unit of a currency. */
export const unitsPerMinor = (decimals: number): bigint => 10n ** BigInt(fixed8Digits - decimals);

/** An amount of the catalog as a decimal text, with the digits of its currency or as many as it needs. */
export function fixed8Text(value: bigint, decimals: number): string {
  const [whole = '0', fraction = ''] = formatMinor(value, fixed8Digits).split('.');
  const short = fraction.replace(/0+$/, '').padEnd(decimals, '0');
  return short === '' ? whole : `${whole}.${short}`;
}
