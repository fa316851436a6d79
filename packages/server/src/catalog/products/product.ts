/** A product, and the checks of its values against each other. */
import { AppError, invalid } from '../../base/errors.ts';
import { maxMinor } from '../../base/money.ts';
import type { Currency } from '../../currencies/index.ts';
import { fixed8Digits, unitsPerMinor } from './fixed8.ts';
import { parseInputs } from './buyer-inputs.ts';
import { parseTiers } from './wholesale-price.ts';

/** Whether any usable channel may pay, or only the channels of a list (R-346, D-185). */
export type PaymentPolicy = 'automatic' | 'allowlist';

/** A product as stored. */
export interface Product {
  merchant_id: string;
  /** Newer products have higher numbers. */
  gd_no: string;
  gd_name: string;
  gd_description: string;
  /** Additional words for the search; never shown to buyers (D-190). */
  keywords: string;
  /** Price of one item, at 8-decimal fixed point of the currency (D-182). */
  actual_price: bigint;
  /** Price elsewhere, for comparison; at the same scale. */
  retail_price: bigint;
  currency: string;
  in_stock: number;
  /** Maximum quantity per order; 0: no limit. */
  buy_limit_num: number;
  payment_policy: PaymentPolicy;
  /** The channels that may be used; empty unless the policy is `allowlist` (D-185). */
  payment_methods: string[];
  /** The buyer's inputs: `key=label=required[=placeholder]` (D-184). */
  other_ipu_cnf: string[];
  /** `min_qty=unit_price` (D-183). */
  wholesale_price_cnf: string[];
  buy_prompt: string;
  enabled: boolean;
  created_at: Date;
  updated_at: Date;
}

/**
 * Checks the texts, the prices (whole minor units of the currency), the wholesale prices and the inputs of a product.
 *
 * @param isPriced whether the prices are new. Others may have more decimals than their currency has by now (D-1379)
 * @throws AppError `invalid_request` with the invalid field, and for a list the number of the entry (D-183, D-184)
 */
export function checkProduct(product: Product, { code, decimals }: Currency, isPriced = true): Product {
  if (product.gd_name.trim() === '') throw invalid('gd_name', 'gd_name must be a non-empty text.');
  for (const field of ['gd_name', 'gd_description', 'keywords', 'buy_prompt'] as const) {
    if (control.test(product[field])) throw invalid(field, `${field} contains control characters.`);
  }
  const unit = unitsPerMinor(decimals);
  for (const field of ['actual_price', 'retail_price'] as const) {
    const price = product[field];
    if (isPriced && price % unit !== 0n)
      throw invalid(field, `The price has more than the ${decimals} decimals of ${code}.`);
    if (price < 0n || price > maxMinor * unit) throw invalid(field, `${field} is out of range.`);
  }
  if (product.actual_price === 0n) throw invalid('actual_price', 'actual_price must be positive.');
  if (product.payment_policy === 'allowlist' && product.payment_methods.length === 0) {
    throw invalid('payment_methods', 'The policy allowlist needs at least one channel.');
  }
  if (product.payment_policy === 'automatic' && product.payment_methods.length > 0) {
    throw invalid('payment_methods', 'Only the policy allowlist has channels.');
  }
  parseTiers(product.wholesale_price_cnf, product.actual_price, isPriced ? decimals : fixed8Digits);
  parseInputs(product.other_ipu_cnf);
  return product;
}

/** Control characters except line ends and tabs. */
const control = /[^\P{Cc}\n\r\t]/u;

/** More than the limit per order, if there is one, or than the stock is 422. */
export function checkQuantity({ buy_limit_num, in_stock }: Product, quantity: number): void {
  if (buy_limit_num > 0 && quantity > buy_limit_num) {
    throw new AppError('purchase_limit_exceeded', { field: 'quantity' });
  }
  if (quantity > in_stock) throw new AppError('out_of_stock', { field: 'quantity' });
}
