/** The SQL statements of the table `products`. Each write also updates the search and the catalog version. */
import { type Queryable, type Tx, type Row, sql } from '../../base/pg/index.ts';
import { insertSearch, raiseVersion, updateSearch } from '../search/index.ts';
import type { Product } from './product.ts';

const columns = sql`merchant_id, gd_no, gd_name, gd_description, keywords, actual_price, retail_price, currency,
  in_stock, buy_limit_num, payment_policy, payment_methods, other_ipu_cnf, wholesale_price_cnf, buy_prompt, enabled,
  created_at, updated_at`;

type ProductRow = Product & Row;

/** Reads a product of a merchant, enabled or not. */
export async function selectProduct(
  db: Queryable,
  merchant_id: string,
  gd_no: string,
): Promise<Product | null> {
  const [row] = await db.query<ProductRow>(
    sql`SELECT ${columns} FROM products WHERE merchant_id = ${merchant_id} AND gd_no = ${gd_no}`,
  );
  return row ?? null;
}

export async function selectProductForUpdate(
  tx: Tx,
  merchant_id: string,
  gd_no: string,
): Promise<Product | null> {
  const [row] = await tx.query<ProductRow>(
    sql`SELECT ${columns} FROM products WHERE merchant_id = ${merchant_id} AND gd_no = ${gd_no}
      FOR UPDATE /* guard: product-locked */`,
  );
  return row ?? null;
}

export async function insertProduct(tx: Tx, p: Product): Promise<void> {
  await raiseVersion(tx, p.merchant_id);
  await tx.write([
    {
      statement: sql`INSERT INTO products (${columns}, supplied) VALUES (${p.merchant_id}::uuid, ${p.gd_no}, ${p.gd_name},
        ${p.gd_description}, ${p.keywords}, ${p.actual_price}::numeric, ${p.retail_price}::numeric, ${p.currency},
        ${p.in_stock}::integer, ${p.buy_limit_num}::integer, ${p.payment_policy}, ${p.payment_methods}::text[],
        ${p.other_ipu_cnf}::text[], ${p.wholesale_price_cnf}::text[], ${p.buy_prompt}, ${p.enabled}::boolean,
        ${p.created_at}::timestamptz, ${p.updated_at}::timestamptz, ${p.in_stock}::integer)`,
      rows: 'all',
    },
    insertSearch(p),
  ]);
}

/** Writes the columns that may change. Another stock is what the merchant has, also without codes. Call under the lock. */
export async function updateProductRow(tx: Tx, p: Product): Promise<void> {
  await raiseVersion(tx, p.merchant_id);
  await tx.write([
    {
      statement: sql`UPDATE products SET gd_name = ${p.gd_name}, gd_description = ${p.gd_description},
        keywords = ${p.keywords}, actual_price = ${p.actual_price}::numeric,
        retail_price = ${p.retail_price}::numeric, currency = ${p.currency}, in_stock = ${p.in_stock}::integer,
        supplied = supplied + ${p.in_stock}::integer - in_stock,
        codes_missing = CASE WHEN in_stock = ${p.in_stock}::integer THEN codes_missing ELSE 0 END, buy_limit_num = ${p.buy_limit_num}::integer, payment_policy = ${p.payment_policy},
        payment_methods = ${p.payment_methods}::text[], other_ipu_cnf = ${p.other_ipu_cnf}::text[],
        wholesale_price_cnf = ${p.wholesale_price_cnf}::text[], buy_prompt = ${p.buy_prompt},
        enabled = ${p.enabled}::boolean, updated_at = ${p.updated_at}::timestamptz
        WHERE merchant_id = ${p.merchant_id}::uuid AND gd_no = ${p.gd_no}`,
      rows: 1,
    },
    updateSearch(p),
  ]);
}
