/** Finds products of all merchants, for the platform's search. */
import type { Queryable } from '../../base/pg/index.ts';
import { fold, selectProductsOfAll } from '../search/index.ts';
import { selectProduct } from './product.sql.ts';
import type { Product } from './product.ts';

/** A text is searched in at most this many products. */
const among = 10_000;

/** Finds the product with a number, and products with a text in their name, description or keywords. */
export async function findProducts(db: Queryable, text: string, limit: number): Promise<Product[]> {
  const found = await selectProductsOfAll(db, { gd_no: text, folded: fold(text) }, { among, limit });
  const products = await Promise.all(
    found.map(({ merchant_id, gd_no }) => selectProduct(db, merchant_id, gd_no)),
  );
  return products.flatMap((product) => product ?? []);
}
