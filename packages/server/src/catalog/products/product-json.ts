/** Writes products as JSON, for clients and for those who manage them. */
import type { ManagedProduct, Product as ProductAnswer } from '@paydesk/contract';
import { rfc3339 } from '../../base/time/clock.ts';
import type { Product } from './product.ts';
import type { StoredProduct } from './save-product.ts';

const common = (product: Product, currency_decimals: number) => ({
  gd_no: product.gd_no,
  gd_name: product.gd_name,
  gd_description: product.gd_description,
  actual_price: product.actual_price,
  retail_price: product.retail_price,
  currency: product.currency,
  currency_decimals,
  in_stock: product.in_stock,
  buy_limit_num: product.buy_limit_num,
  payment_policy: product.payment_policy,
});

/**
 * Writes a product for clients: the contract's members and no others (R-344, D-190), prices as fixed-point integers
 * the allowed channels only for an allow-list, and no unset optional member.
 */
export function productJson(product: Product, currency_decimals: number): ProductAnswer {
  const { payment_policy, payment_methods, other_ipu_cnf, wholesale_price_cnf, buy_prompt } = product;
  return {
    ...common(product, currency_decimals),
    ...(payment_policy === 'allowlist' ? { payment_methods } : {}),
    ...(other_ipu_cnf.length === 0 ? {} : { other_ipu_cnf }),
    ...(wholesale_price_cnf.length === 0 ? {} : { wholesale_price_cnf }),
    ...(buy_prompt === '' ? {} : { buy_prompt }),
  };
}

/** Writes a product for its merchant, for administrators and for the audit log. */
export const managedJson = ({ product, decimals }: StoredProduct): ManagedProduct => ({
  ...common(product, decimals),
  keywords: product.keywords,
  payment_methods: product.payment_methods,
  other_ipu_cnf: product.other_ipu_cnf,
  wholesale_price_cnf: product.wholesale_price_cnf,
  buy_prompt: product.buy_prompt,
  enabled: product.enabled,
  created_at: rfc3339(product.created_at),
  updated_at: rfc3339(product.updated_at),
});
