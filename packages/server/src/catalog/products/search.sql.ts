import { type Queryable, type Tx, type Row, type Write, sql, type Sql } from '../../base/pg/index.ts';
import type { Product } from './index.ts';
import { foldedOf, gramsOf, gramsToFind } from './search-text.ts';

/** Which products of one merchant. */
export interface Selection {
  merchant_id: string;
  /** Whether those that are not for sale are meant as well. */
  disabled_too: boolean;
  /** A part of the folded text; empty: any. */
  folded: string;
  /** Only those behind this one, newest first; absent: from the newest on. */
  behind?: string | null;
}

export function insertSearch(p: Product): Write {
  const folded = foldedOf(p);
  return {
    statement: sql`INSERT INTO product_search (merchant_id, gd_no, enabled, folded, grams)
      VALUES (${p.merchant_id}::uuid, ${p.gd_no}, ${p.enabled}::boolean, ${folded},
        ${gramsOf(p.merchant_id, folded)}::integer[])`,
    rows: 'all',
  };
}

export function updateSearch(p: Product): Write {
  const folded = foldedOf(p);
  return {
    statement: sql`UPDATE product_search SET enabled = ${p.enabled}::boolean, folded = ${folded},
      grams = ${gramsOf(p.merchant_id, folded)}::integer[]
      WHERE merchant_id = ${p.merchant_id}::uuid AND gd_no = ${p.gd_no}`,
    rows: 1,
  };
}

/** Whoever changes a merchant's products waits here for one another: what is counted under a version is exact. */
export async function raiseVersion(tx: Tx, merchant_id: string): Promise<void> {
  await tx.query(
    sql`INSERT INTO catalog_versions (merchant_id, version) VALUES (${merchant_id}::uuid, 1)
      ON CONFLICT (merchant_id) DO UPDATE SET version = catalog_versions.version + 1`,
  );
}

/** 0 where a merchant has never had a product. */
export async function selectVersion(db: Queryable, merchant_id: string): Promise<bigint> {
  const [row] = await db.query<{ version: bigint }>(
    sql`SELECT version FROM catalog_versions WHERE merchant_id = ${merchant_id}`,
  );
  return row?.version ?? 0n;
}

/** How many products there are, and the version of which that is true: both of one snapshot. */
export async function countProducts(
  db: Queryable,
  selection: Selection,
): Promise<{ version: bigint; total: number }> {
  const [row] = await db.query<{ version: bigint | null; total: bigint }>(
    sql`SELECT (SELECT version FROM catalog_versions WHERE merchant_id = ${selection.merchant_id}) AS version,
      (SELECT count(*) FROM (${found(selection)}) AS found) AS total`,
  );
  return { version: row?.version ?? 0n, total: Number(row?.total ?? 0n) };
}

/** The products of a page of few: all are found by their grams, then sorted. */
export function selectFewNewest(
  db: Queryable,
  selection: Selection,
  offset: number,
  limit: number,
): Promise<(Product & Row)[]> {
  return db.query(
    sql`WITH found AS MATERIALIZED (${found(selection)}),
        page AS (SELECT gd_no FROM found ORDER BY gd_no DESC LIMIT ${limit} OFFSET ${offset})
      ${productsOf(selection.merchant_id)}`,
  );
}

/** The products of a page, found by their grams, with how many there are in all and the version of which that is true. */
export async function selectCounted(
  db: Queryable,
  selection: Selection,
  offset: number,
  limit: number,
): Promise<{ version: bigint; total: number; list: Product[] }> {
  const { merchant_id } = selection;
  // One row without a product tells the total where the page has none.
  const rows = await db.query<{ version: bigint | null; total: bigint; gd_no: string | null }>(
    sql`WITH found AS MATERIALIZED (${found(selection)}),
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

/** The products of a page of many: looks at one after the other, newest first, until the page is full. */
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

/** Every text is compared as it is: nothing in it is a pattern. */
function compared({ disabled_too, folded, behind = null }: Selection): Sql {
  const forSale = disabled_too ? sql`` : sql`AND enabled`;
  const older = behind === null ? sql`` : sql`AND gd_no < ${behind}`;
  const containing = folded === '' ? sql`` : sql`AND strpos(folded, ${folded}) > 0`;
  return sql`${forSale} ${older} ${containing}`;
}

/** The numbers of all that a selection has, found by the grams of its text. */
function found(selection: Selection): Sql {
  const { merchant_id, disabled_too, folded, behind = null } = selection;
  return folded === ''
    ? sql`SELECT gd_no FROM product_search WHERE merchant_id = ${merchant_id} ${compared(selection)}`
    : sql`SELECT gd_no FROM found_products(${merchant_id}::uuid, ${disabled_too}::boolean, ${folded},
        ${gramsToFind(merchant_id, folded)}::integer[], ${behind}) AS gd_no`;
}
