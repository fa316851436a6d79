/** Reads the wholesale prices of a product. */
import { invalid } from '../../base/errors.ts';
import { parseDecimal, toMinor } from '../../base/money.ts';
import { fixed8Digits, unitsPerMinor } from './fixed8.ts';

/** The price of each item from a quantity on. */
export interface Tier {
  min_qty: number;
  /** At 8-decimal fixed point of the product's currency. */
  unit_price: bigint;
}

const grammar = /^([1-9][0-9]{0,8})=([0-9]{1,16}(?:\.[0-9]{1,8})?)$/;

/**
 * Reads wholesale prices, each `min_qty=unit_price` with the price in major units: `5=3.00` is 3.00 per item from five
 * items on. From entry to entry the thresholds rise and the prices fall. All prices are below the price of one item
 * (D-183).
 *
 * @param actual_price price of one item, at 8-decimal fixed point
 * @param decimals precision of the currency
 * @throws AppError `invalid_request` on `wholesale_price_cnf.{entry}`, counted from 0
 */
export function parseTiers(
  wholesale_price_cnf: readonly string[],
  actual_price: bigint,
  decimals: number,
): Tier[] {
  const tiers: Tier[] = [];
  for (const [i, entry] of wholesale_price_cnf.entries()) {
    const refuse = (why: string) => invalid(`wholesale_price_cnf.${i}`, `"${entry}": ${why}`);
    const tier = readTier(entry);
    if (tier === null) throw refuse('write min_qty=unit_price, such as 5=3.00.');
    if (tier.unit_price % unitsPerMinor(decimals) !== 0n) {
      throw refuse(`the currency has ${decimals} decimals.`);
    }
    if (tier.unit_price === 0n) throw refuse('a price must be positive.');
    const before = tiers.at(-1);
    if (before !== undefined && tier.min_qty <= before.min_qty) {
      throw refuse('each threshold must be higher than the one before.');
    }
    if (tier.unit_price >= (before?.unit_price ?? actual_price)) {
      throw refuse('each price must be lower than the one before, and the first lower than actual_price.');
    }
    tiers.push(tier);
  }
  return tiers;
}

/** Reads one entry; null if it has another format. */
export function readTier(entry: string): Tier | null {
  const [, quantity = '', price = ''] = grammar.exec(entry) ?? [];
  const value = parseDecimal(price);
  const unit_price = value === null ? null : toMinor(value, fixed8Digits);
  return unit_price === null ? null : { min_qty: Number(quantity), unit_price };
}
