/** What an amount of PTK is worth in a currency, at a price: exact arithmetic, rounded half up at the end (D-224). */
import { decimalOf, minorOf, ptkDecimals } from './money.ts';

const priceDecimals = 12;

/**
 * @param units PTK in its eighth decimal; may be negative
 * @param ptk_price the price of 1 PTK, as the service writes it
 * @param decimals the precision of the currency
 * @returns a decimal text at that precision; null if the price is no decimal
 */
export function estimateOf(units: bigint, ptk_price: string, decimals: number): string | null {
  const price = minorOf(ptk_price, priceDecimals);
  if (price === null) return null;
  const whole = (units < 0n ? -units : units) * price * 10n ** BigInt(decimals);
  const scale = 10n ** BigInt(ptkDecimals + priceDecimals);
  const minor = (2n * whole + scale) / (2n * scale);
  return decimalOf(units < 0n ? -minor : minor, decimals);
}
