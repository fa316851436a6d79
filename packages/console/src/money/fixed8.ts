/** Prices of the catalog, which are whole numbers times 10^8 (D-182), and the tiers of a product. */
import { decimalOf, minorOf } from './money.ts';

/** A price times 10^8, whatever the precision of its currency; large ones are texts. */
export type Fixed8 = number | string;

const places = 8;

/** A price as a decimal text, with the decimals of its currency or as many as it needs. */
export function priceOf(value: Fixed8, decimals: number): string {
  const [whole = '0', fraction = ''] = decimalOf(BigInt(value), places).split('.');
  const short = fraction.replace(/0+$/, '').padEnd(decimals, '0');
  return short === '' ? whole : `${whole}.${short}`;
}

/** A typed price times 10^8; null if it is no price. */
export const fixed8Of = (text: string): bigint | null => minorOf(text, places);

/** The price of one from a quantity on, as typed. */
export interface Tier {
  from: string;
  price: string;
}

/** Reads `5=9.00` as a tier. */
export function tierOf(text: string): Tier {
  const [from = '', price = ''] = text.split('=');
  return { from, price };
}

/**
 * The price of a quantity times 10^8: each at the price of the last tier that the quantity reaches, or at the plain
 * price. An incomplete tier does not count.
 */
export function totalOf(
  quantity: bigint,
  price: bigint,
  tiers: readonly Tier[],
): { each: bigint; total: bigint } {
  const reached = tiers
    .flatMap((tier) => {
      const each = fixed8Of(tier.price);
      return /^\d{1,9}$/.test(tier.from) && each !== null ? [{ from: BigInt(tier.from), each }] : [];
    })
    .filter(({ from }) => quantity >= from)
    .reduce<{ from: bigint; each: bigint } | null>(
      (best, one) => (best === null || one.from > best.from ? one : best),
      null,
    );
  const each = reached?.each ?? price;
  return { each, total: each * quantity };
}
