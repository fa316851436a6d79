/** The SQL of a page of products. One plan fits few matches, the other many. */
import { type Queryable, type Row, sql, type Sql } from '../../base/pg/index.ts';
import type { Product } from './product.ts';
import { compared, found, type Selection } from '../search/index.ts';

/** Selects a page when few products match: finds all matches by their grams, then sorts them. */
export function selectFewNewest(
  db: Queryable,
  selection: Selection,
  offset: number,
  limit: number,
): Promise<(Product & Row)[]> {
  return db.query(
    sql`WITH found AS MATERIALIZED (${found(db, selection)}),
        page AS (SELECT gd_no FROM found ORDER BY gd_no DESC LIMIT ${limit} OFFSET ${offset})
      ${productsOf(selection.merchant_id)}`,
  );
}

/** Like `selectFewNewest`, with the number of all matches and the catalog version in which it is true. */
export async function selectCounted(
  db: Queryable,
  selection: Selection,
  offset: number,
  limit: number,
): Promise<{ version: bigint; total: number; list: Product[] }> {
  const { merchant_id } = selection;
  // If the page is empty, one row without a product holds the total.
  const rows = await db.query<{ version: bigint | null; total: bigint; gd_no: string | null }>(
    sql`WITH found AS MATERIALIZED (${found(db, selection)}),
        page AS (SELECT gd_no FROM found ORDER BY gd_no DESC LIMIT ${limit} OFFSET ${offset}),
        counted AS (SELECT (SELECT version FROM catalog_versions WHERE merchant_id = ${merchant_id}) AS version,
          (SELECT count(*) FROM found) AS total)
      SELECT counted.version, counted.total, ${columns} FROM counted LEFT JOIN
        (page JOIN products p ON p.merchant_id = ${merchant_id} AND p.gd_no = page.gd_no) ON true
      ORDER BY p.gd_no DESC`,
  );
  const [first] = rows;
  const list = rows.flatMap(({ version: _, total: __, ...product }) =>
    product.gd_no === null ? [] : [product as unknown as Product],
  );
  return { version: first?.version ?? 0n, total: Number(first?.total ?? 0n), list };
}

/** Selects a page when many products match: scans from the newest product until the page is full. */
export function selectManyNewest(
  db: Queryable,
  selection: Selection,
  offset: number,
  limit: number,
): Promise<(Product & Row)[]> {
  return db.query(
    sql`WITH page AS (SELECT gd_no FROM product_search
          WHERE merchant_id = ${selection.merchant_id} ${compared(selection)}
        ORDER BY gd_no DESC LIMIT ${limit} OFFSET ${offset})
      ${productsOf(selection.merchant_id)}`,
  );
}

const columns = sql`p.merchant_id, p.gd_no, p.gd_name, p.gd_description, p.keywords, p.actual_price, p.retail_price,
  p.currency, p.in_stock, p.buy_limit_num, p.payment_policy, p.payment_methods, p.other_ipu_cnf,
  p.wholesale_price_cnf, p.buy_prompt, p.enabled, p.created_at, p.updated_at`;

const productsOf = (merchant_id: string): Sql =>
  sql`SELECT ${columns} FROM page JOIN products p ON p.merchant_id = ${merchant_id} AND p.gd_no = page.gd_no
    ORDER BY p.gd_no DESC`;
