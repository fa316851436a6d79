/** The SQL statements of the table `catalog_codes`. */
import { type Queryable, type Tx, type Row, type Write, sql, type Sql } from '../../base/pg/index.ts';

/** A code of a product as stored: sealed, with a keyed digest that identifies it. */
export interface StoredCode {
  code_id: string;
  code_box: Buffer;
  code_digest: Buffer;
}

/** Inserts codes. None of them may exist yet. */
export function insertCodes(
  merchant_id: string,
  gd_no: string,
  codes: readonly StoredCode[],
  uploaded_at: Date,
): Write {
  return {
    statement: sql`INSERT INTO catalog_codes (merchant_id, gd_no, code_id, code_box, code_digest, uploaded_at)
      SELECT ${merchant_id}::uuid, ${gd_no}, c.code_id, c.code_box, c.code_digest, ${uploaded_at}::timestamptz
      FROM unnest(${codes.map(({ code_id }) => code_id)}::text[],
        ${codes.map(({ code_box }) => code_box)}::bytea[], ${codes.map(({ code_digest }) => code_digest)}::bytea[])
        AS c (code_id, code_box, code_digest)`,
    rows: codes.length,
  };
}

/** Selects which of these digests belong to codes that the product has or had. In hexadecimal. */
export async function selectKnownDigests(
  db: Queryable,
  merchant_id: string,
  gd_no: string,
  digests: readonly Buffer[],
): Promise<Set<string>> {
  const rows = await db.query<{ code_digest: Buffer }>(
    sql`SELECT code_digest FROM catalog_codes
      WHERE merchant_id = ${merchant_id} AND gd_no = ${gd_no} AND code_digest = ANY (${digests}::bytea[])`,
  );
  return new Set(rows.map(({ code_digest }) => code_digest.toString('hex')));
}

/** Counts the unassigned codes with these digests, or all. Call under the lock of the product. */
export async function countFreeCodes(
  tx: Tx,
  merchant_id: string,
  gd_no: string,
  digests: readonly Buffer[] | 'all',
): Promise<number> {
  const [row] = await tx.query<{ count: number }>(
    sql`SELECT count(*)::int AS count FROM catalog_codes
      WHERE merchant_id = ${merchant_id} AND gd_no = ${gd_no} AND order_no IS NULL ${withDigests(digests)}`,
  );
  return row?.count ?? 0;
}

/** The unassigned codes of a product. */
export interface FreeCodes extends Row {
  merchant_id: string;
  gd_no: string;
  codes: number;
}

/** Counts the unassigned codes of every product of every merchant. It reads all codes: only for a command. */
export const listFreeCodes = (db: Queryable): Promise<FreeCodes[]> =>
  db.query<FreeCodes>(
    sql`SELECT m.merchant_id, free.gd_no, free.codes FROM merchants m CROSS JOIN LATERAL (
        SELECT c.gd_no, count(*)::int AS codes FROM catalog_codes c
        WHERE c.merchant_id = m.merchant_id AND c.order_no IS NULL GROUP BY c.gd_no) free
      ORDER BY m.merchant_id, free.gd_no`,
  );

/** Deletes unassigned codes. Fails unless it deletes exactly `rows`. */
export function deleteFreeCodes(
  merchant_id: string,
  gd_no: string,
  digests: readonly Buffer[] | 'all',
  rows: number,
): Write {
  return {
    statement: sql`DELETE FROM catalog_codes
      WHERE merchant_id = ${merchant_id}::uuid AND gd_no = ${gd_no} AND order_no IS NULL ${withDigests(digests)}`,
    rows,
  };
}

const withDigests = (digests: readonly Buffer[] | 'all'): Sql =>
  digests === 'all' ? sql`` : sql`AND code_digest = ANY (${digests}::bytea[])`;

/** Selects the oldest unassigned codes of a product. Call under the lock of the product. */
export async function selectFreeCodes(
  tx: Tx,
  merchant_id: string,
  gd_no: string,
  limit: number,
): Promise<string[]> {
  const rows = await tx.query<{ code_id: string }>(
    sql`SELECT code_id FROM catalog_codes
      WHERE merchant_id = ${merchant_id} AND gd_no = ${gd_no} AND order_no IS NULL
      ORDER BY code_id LIMIT ${limit}`,
  );
  return rows.map(({ code_id }) => code_id);
}

/** Assigns codes to an order. Fails unless all are unassigned; a trigger checks this as well. */
export function assignCodes(
  { merchant_id, gd_no, order_no }: { merchant_id: string; gd_no: string; order_no: string },
  code_ids: readonly string[],
  now: Date,
): Write {
  return {
    statement: sql`UPDATE catalog_codes SET order_no = ${order_no}, given_at = ${now}::timestamptz
      WHERE merchant_id = ${merchant_id}::uuid AND gd_no = ${gd_no} AND code_id = ANY (${code_ids}::text[])
        AND order_no IS NULL /* guard: free-codes-only */`,
    rows: code_ids.length,
  };
}

/** A sealed code of an order, with the key of its row. */
export interface AssignedCode extends Row {
  merchant_id: string;
  gd_no: string;
  code_id: string;
  code_box: Buffer;
}

/** Selects the sealed codes of an order. */
export function selectAssignedCodes(
  db: Queryable,
  merchant_id: string,
  order_no: string,
): Promise<AssignedCode[]> {
  return db.query<AssignedCode>(
    sql`SELECT merchant_id, gd_no, code_id, code_box FROM catalog_codes
      WHERE merchant_id = ${merchant_id} AND order_no = ${order_no}
      ORDER BY code_id`,
  );
}

/** The number of codes of a product, and of items that open orders still need. */
export interface CodeCount extends Row {
  left: number;
  assigned: number;
  /** Items of orders that are unpaid or not delivered yet; at most the largest stock (D-1123). */
  outstanding: number;
}

export async function countCodes(db: Queryable, merchant_id: string, gd_no: string): Promise<CodeCount> {
  const [codes, orders] = await Promise.all([
    db.query<{ left: number; assigned: number }>(
      sql`SELECT (count(*) FILTER (WHERE order_no IS NULL))::int AS left,
          (count(*) FILTER (WHERE order_no IS NOT NULL))::int AS assigned
        FROM catalog_codes WHERE merchant_id = ${merchant_id} AND gd_no = ${gd_no}`,
    ),
    db.query<{ outstanding: number }>(
      sql`SELECT least(coalesce(sum(quantity), 0), 2147483647)::int AS outstanding FROM catalog_orders
        WHERE merchant_id = ${merchant_id} AND gd_no = ${gd_no} AND state IN ('pending', 'review', 'paid')`,
    ),
  ]);
  return { left: 0, assigned: 0, ...codes[0], outstanding: orders[0]?.outstanding ?? 0 };
}
