/** The SQL statements of the product search and of the catalog versions. */
import { type Queryable, sql, type Sql, type Tx, type Write } from '../../base/pg/index.ts';
import { foldedOf, gramsOf, gramsToFind, type SearchedTexts } from './search-text.ts';

/** The data of a product that the search stores. */
export interface SearchedProduct extends SearchedTexts {
  merchant_id: string;
  gd_no: string;
  enabled: boolean;
}

/** A selection of one merchant's products. */
export interface Selection {
  merchant_id: string;
  /** Whether to include products that are not for sale. */
  disabled_too: boolean;
  /** A part of the folded text; empty: no filter. */
  folded: string;
  /** The last number of the previous page; absent: start with the newest. */
  behind?: string | null;
}

export function insertSearch(p: SearchedProduct): Write {
  const folded = foldedOf(p);
  return {
    statement: sql`INSERT INTO product_search (merchant_id, gd_no, enabled, folded, grams)
      VALUES (${p.merchant_id}::uuid, ${p.gd_no}, ${p.enabled}::boolean, ${folded},
        ${gramsOf(p.merchant_id, folded)}::integer[])`,
    rows: 'all',
  };
}

export function updateSearch(p: SearchedProduct): Write {
  const folded = foldedOf(p);
  return {
    statement: sql`UPDATE product_search SET enabled = ${p.enabled}::boolean, folded = ${folded},
      grams = ${gramsOf(p.merchant_id, folded)}::integer[]
      WHERE merchant_id = ${p.merchant_id}::uuid AND gd_no = ${p.gd_no}`,
    rows: 1,
  };
}

/** Raises the catalog version of a merchant. Its row lock serializes changes, so a count of a version is exact. */
export async function raiseVersion(tx: Tx, merchant_id: string): Promise<void> {
  await tx.query(
    sql`INSERT INTO catalog_versions (merchant_id, version) VALUES (${merchant_id}::uuid, 1)
      ON CONFLICT (merchant_id) DO UPDATE SET version = catalog_versions.version + 1`,
  );
}

/** Reads the catalog version of a merchant; 0 if it has never had a product. */
export async function selectVersion(db: Queryable, merchant_id: string): Promise<bigint> {
  const [row] = await db.query<{ version: bigint }>(
    sql`SELECT version FROM catalog_versions WHERE merchant_id = ${merchant_id}`,
  );
  return row?.version ?? 0n;
}

/** Counts the products of a selection and reads the catalog version, both in one snapshot. */
export async function countProducts(
  db: Queryable,
  selection: Selection,
): Promise<{ version: bigint; total: number }> {
  const [row] = await db.query<{ version: bigint | null; total: bigint }>(
    sql`SELECT (SELECT version FROM catalog_versions WHERE merchant_id = ${selection.merchant_id}) AS version,
      (SELECT count(*) FROM (${found(db, selection)}) AS found) AS total`,
  );
  return { version: row?.version ?? 0n, total: Number(row?.total ?? 0n) };
}

/**
 * Selects products of any merchant: the one with this number, or with a text in its folded texts. It reads at most
 * `among` products, in no order: a platform with more finds the others by their number or in the merchant's console.
 */
export function selectProductsOfAll(
  db: Queryable,
  { gd_no, folded }: { gd_no: string; folded: string },
  { among, limit }: { among: number; limit: number },
): Promise<{ merchant_id: string; gd_no: string }[]> {
  return db.query<{ merchant_id: string; gd_no: string }>(
    sql`SELECT merchant_id, gd_no FROM (
        SELECT p.merchant_id, p.gd_no FROM merchants m CROSS JOIN LATERAL (
          SELECT merchant_id, gd_no FROM product_search WHERE merchant_id = m.merchant_id AND gd_no = ${gd_no}) p
        UNION
        SELECT merchant_id, gd_no FROM (
          SELECT merchant_id, gd_no, folded FROM product_search LIMIT ${among}) AS read
        WHERE strpos(folded, ${folded}) > 0) AS found LIMIT ${limit}`,
  );
}

/** Returns the conditions of a selection. The text is a part compared literally, not a pattern (R-341, D-188). */
export function compared({ disabled_too, folded, behind = null }: Selection): Sql {
  const forSale = disabled_too ? sql`` : sql`AND enabled`;
  const older = behind === null ? sql`` : sql`AND gd_no < ${behind}`;
  const containing = folded === '' ? sql`` : sql`AND strpos(folded, ${folded}) > 0`;
  return sql`${forSale} ${older} ${containing}`;
}

/**
 * Returns the query for the product numbers of a selection, found by the grams of its text. The function keeps PostgreSQL
 * from reading the whole table; where tables are distributed, it would ask for a distributed table from within a shard.
 */
export function found(db: Queryable, selection: Selection): Sql {
  const { merchant_id, disabled_too, folded, behind = null } = selection;
  const direct = sql`SELECT gd_no FROM product_search WHERE merchant_id = ${merchant_id} ${compared(selection)}`;
  if (folded === '') return direct;
  const grams = sql`${gramsToFind(merchant_id, folded)}::integer[]`;
  return db.isDistributed === true
    ? sql`${direct} AND grams @> ${grams}`
    : sql`SELECT gd_no FROM found_products(${merchant_id}::uuid, ${disabled_too}::boolean, ${folded},
        ${grams}, ${behind}) AS gd_no`;
}
