import { divideHalfUp, minOf } from '../../base/money.ts';
import { unitsPerMinor } from './fixed8.ts';
import type { Product } from './product.ts';
import { readTier } from './wholesale-price.ts';

/** What some of a product cost, in minor units of its currency. */
export interface Amounts {
  /** Quantity times the price for one. */
  total_amount: bigint;
  /** What the wholesale price saves of that. */
  discount_amount: bigint;
}

type Priced = Pick<Product, 'actual_price' | 'wholesale_price_cnf'>;

/**
 * The price of each where so many are bought, at 8-decimal fixed point: of the highest threshold reached (D-183). It
 * never exceeds the price for one, whatever the entries say.
 */
export function unitPriceOf({ actual_price, wholesale_price_cnf }: Priced, quantity: number): bigint {
  let best = { min_qty: 0, unit_price: actual_price };
  for (const entry of wholesale_price_cnf) {
    const tier = readTier(entry);
    if (tier !== null && tier.min_qty <= quantity && tier.min_qty > best.min_qty) best = tier;
  }
  return minOf(best.unit_price, actual_price);
}

/**
 * What `quantity` of a product cost. The sums are exact and rounded half up to the currency's minor unit once each, so
 * that what is paid is their difference (D-181).
 *
 * @param decimals precision of the currency
 */
export function amountsOf(product: Priced, quantity: number, decimals: number): Amounts {
  const unit = unitsPerMinor(decimals);
  const total_amount = divideHalfUp(BigInt(quantity) * product.actual_price, unit);
  const wholesale = divideHalfUp(BigInt(quantity) * unitPriceOf(product, quantity), unit);
  return { total_amount, discount_amount: total_amount - wholesale };
}
