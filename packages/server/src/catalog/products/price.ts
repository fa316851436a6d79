/** Computes what a quantity of a product costs; no request can. */
import { divideHalfUp, minOf } from '../../base/money.ts';
import { unitsPerMinor } from './fixed8.ts';
import type { Product } from './product.ts';
import { readTier } from './wholesale-price.ts';

/** The cost of a quantity of a product, in minor units of its currency. */
export interface Amounts {
  /** Quantity times the price of one item. */
  total_amount: bigint;
  /** The saving by the wholesale price. */
  discount_amount: bigint;
}

type Priced = Pick<Product, 'actual_price' | 'wholesale_price_cnf'>;

/**
 * Returns the price of each item for a quantity, at 8-decimal fixed point: the price of the highest threshold reached
 * (D-183). It never exceeds the price of one item.
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
 * Computes the cost of a quantity. Both sums are exact and rounded half up once, to the currency's minor unit.
 * The amount to pay is their difference (D-181).
 *
 * @param decimals precision of the currency
 */
export function amountsOf(product: Priced, quantity: number, decimals: number): Amounts {
  const unit = unitsPerMinor(decimals);
  const total_amount = divideHalfUp(BigInt(quantity) * product.actual_price, unit);
  const wholesale = divideHalfUp(BigInt(quantity) * unitPriceOf(product, quantity), unit);
  return { total_amount, discount_amount: total_amount - wholesale };
}
