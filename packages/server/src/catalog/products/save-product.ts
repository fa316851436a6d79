/** Creates and changes products in a transaction of the caller. */
import type { IdSource } from '../../base/ids.ts';
import type { Tx } from '../../base/pg/index.ts';
import { selectChannelsFor } from '../../channels/index.ts';
import { selectCurrency } from '../../currencies/index.ts';
import { AppError, invalid, InvariantError } from '../../base/errors.ts';
import { checkProduct, type Product } from './product.ts';
import { insertProduct, selectProductForUpdate, updateProductRow } from './product.sql.ts';

/** The settings of a product that are optional when it is created or changed. */
export type ProductSettings = Partial<Omit<Product, 'merchant_id' | 'gd_no' | 'created_at' | 'updated_at'>>;

/** The settings of a new product. */
export type NewProductSettings = ProductSettings & Pick<Product, 'gd_name' | 'actual_price' | 'currency'>;

/** A product as stored, with the precision of its currency. */
export interface StoredProduct {
  product: Product;
  decimals: number;
}

/**
 * Creates a product. By default it is for sale, without stock, limits or inputs.
 *
 * @throws AppError `invalid_request` with the invalid field
 */
export async function createProduct(
  tx: Tx,
  ids: IdSource,
  merchant_id: string,
  settings: NewProductSettings,
  now: Date,
): Promise<StoredProduct> {
  const product: Product = {
    gd_description: '',
    keywords: '',
    retail_price: settings.actual_price,
    in_stock: 0,
    buy_limit_num: 0,
    payment_policy: 'automatic',
    payment_methods: [],
    other_ipu_cnf: [],
    wholesale_price_cnf: [],
    buy_prompt: '',
    enabled: true,
    ...settings,
    merchant_id,
    gd_no: `gd_${ids.ulid(now)}`,
    created_at: now,
    updated_at: now,
  };
  const stored = await validateProduct(tx, product, settings);
  await insertProduct(tx, product);
  return stored;
}

/**
 * Changes a product. Absent settings keep their values, and existing orders do not change. The product's row is locked,
 * so no order changes the stock at the same time.
 *
 * @throws AppError `not_found` for an unknown product and another merchant's; `invalid_request`
 */
export async function updateProduct(
  tx: Tx,
  merchant_id: string,
  gd_no: string,
  settings: ProductSettings,
  now: Date,
): Promise<{ before: StoredProduct; after: StoredProduct }> {
  const before = await selectProductForUpdate(tx, merchant_id, gd_no);
  if (before === null) throw new AppError('not_found');
  const product: Product = {
    ...before,
    // The policy automatic clears the list of channels, so the caller need not clear it.
    ...(settings.payment_policy === 'automatic' ? { payment_methods: [] } : {}),
    ...settings,
    updated_at: now,
  };
  const after = await validateProduct(tx, product, settings);
  await updateProductRow(tx, product);
  return { before: { product: before, decimals: await decimalsOf(tx, before.currency) }, after };
}

const pricing = ['actual_price', 'retail_price', 'wholesale_price_cnf', 'currency'] as const;

/** Checks a product, and that the currency and channels of the settings exist. Returns its decimals as well. */
async function validateProduct(tx: Tx, product: Product, settings: ProductSettings): Promise<StoredProduct> {
  const currency = await selectCurrency(tx, product.currency);
  if (currency === null || (settings.currency !== undefined && !currency.enabled)) {
    throw invalid('currency', `${product.currency} is unknown or not enabled.`);
  }
  checkProduct(
    product,
    currency,
    pricing.some((name) => settings[name] !== undefined),
  );
  if (settings.payment_methods !== undefined) {
    const channels = await selectChannelsFor(tx, product.merchant_id);
    for (const [i, payment_no] of product.payment_methods.entries()) {
      if (!channels.some((channel) => channel.payment_no === payment_no)) {
        throw invalid(`payment_methods.${i}`, `There is no channel ${payment_no} for this merchant.`);
      }
    }
  }
  return { product, decimals: currency.decimals };
}

async function decimalsOf(tx: Tx, code: string): Promise<number> {
  const currency = await selectCurrency(tx, code);
  if (currency === null) throw new InvariantError(`the currency ${code} of a product does not exist`);
  return currency.decimals;
}
