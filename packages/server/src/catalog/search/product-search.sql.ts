import { type Queryable, sql, type Sql, type Tx, type Write } from '../../base/pg/index.ts';
import { foldedOf, gramsOf, gramsToFind, type SearchedTexts } from './search-text.ts';

/** What the search keeps of a product. */
export interface SearchedProduct extends SearchedTexts {
  merchant_id: string;
  gd_no: string;
  enabled: boolean;
}

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

/** Every text is compared as it is: nothing in it is a pattern. */
export function compared({ disabled_too, folded, behind = null }: Selection): Sql {
  const forSale = disabled_too ? sql`` : sql`AND enabled`;
  const older = behind === null ? sql`` : sql`AND gd_no < ${behind}`;
  const containing = folded === '' ? sql`` : sql`AND strpos(folded, ${folded}) > 0`;
  return sql`${forSale} ${older} ${containing}`;
}

/** The numbers of all that a selection has, found by the grams of its text. */
export function found(selection: Selection): Sql {
  const { merchant_id, disabled_too, folded, behind = null } = selection;
  return folded === ''
    ? sql`SELECT gd_no FROM product_search WHERE merchant_id = ${merchant_id} ${compared(selection)}`
    : sql`SELECT gd_no FROM found_products(${merchant_id}::uuid, ${disabled_too}::boolean, ${folded},
        ${gramsToFind(merchant_id, folded)}::integer[], ${behind}) AS gd_no`;
}
