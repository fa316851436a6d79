import { invalid } from '../../base/errors.ts';
import { maxMinor } from '../../base/money.ts';
import type { Currency } from '../../currencies/index.ts';
import { unitsPerMinor } from './fixed8.ts';
import { parseInputs } from './buyer-inputs.ts';
import { parseTiers } from './wholesale-price.ts';

export type PaymentPolicy = 'automatic' | 'allowlist';

/** What a merchant sells. */
export interface Product {
  merchant_id: string;
  /** Rises with time: newest first is from high to low. */
  gd_no: string;
  gd_name: string;
  gd_description: string;
  /** Words that a search finds it by; never shown to buyers (D-190). */
  keywords: string;
  /** For one, at 8-decimal fixed point of the currency (D-182). */
  actual_price: bigint;
  /** What it costs elsewhere, for comparison; likewise. */
  retail_price: bigint;
  currency: string;
  in_stock: number;
  /** At most so many per order; 0: any number. */
  buy_limit_num: number;
  payment_policy: PaymentPolicy;
  /** The channels that may be used; empty unless the policy is `allowlist` (D-185). */
  payment_methods: string[];
  /** What buyers are asked for: `key=label=required[=placeholder]` (D-184). */
  other_ipu_cnf: string[];
  /** `min_qty=unit_price` (D-183). */
  wholesale_price_cnf: string[];
  buy_prompt: string;
  enabled: boolean;
  created_at: Date;
  updated_at: Date;
}

/**
 * Checks a product as a whole: names, prices in whole minor units of their currency, wholesale prices and inputs in
 * their formats.
 *
 * @throws AppError `invalid_request` with the field at fault, and for a list the number of the entry (D-183, D-184)
 */
export function checkProduct(product: Product, { code, decimals }: Currency): Product {
  if (product.gd_name.trim() === '') throw invalid('gd_name', 'A product has a name.');
  for (const field of ['gd_name', 'gd_description', 'keywords', 'buy_prompt'] as const) {
    if (control.test(product[field])) throw invalid(field, `${field} holds control characters.`);
  }
  const unit = unitsPerMinor(decimals);
  for (const field of ['actual_price', 'retail_price'] as const) {
    const price = product[field];
    if (price % unit !== 0n) throw invalid(field, `${code} has ${decimals} decimals: the price has more.`);
    if (price < 0n || price > maxMinor * unit) throw invalid(field, `${field} is out of range.`);
  }
  if (product.actual_price === 0n) throw invalid('actual_price', 'A price is positive.');
  if (product.payment_policy === 'allowlist' && product.payment_methods.length === 0) {
    throw invalid('payment_methods', 'Name the channels that may be used.');
  }
  if (product.payment_policy === 'automatic' && product.payment_methods.length > 0) {
    throw invalid('payment_methods', 'Channels are named with the policy allowlist only.');
  }
  parseTiers(product.wholesale_price_cnf, product.actual_price, decimals);
  parseInputs(product.other_ipu_cnf);
  return product;
}

/** Anything that is no text: line ends and tabs are. */
const control = /[^\P{Cc}\n\r\t]/u;
