/** The SQL that finds and claims rows with work at a time of their own. */
import { type Queryable, type Row, type Sql, sql, type Tx } from '../../base/pg/index.ts';

/** A table with the columns `merchant_id` and `check_at`: when a row's next step is due, or null. */
export interface DueRows {
  table: Sql;
  /** The column that identifies a row of a merchant. */
  id: Sql;
  columns: Sql;
}

/** Merchants that have a due row; the longest due first, so that one with very many takes no turn of the others (D-1185). */
export async function selectMerchantsWithDue(
  db: Queryable,
  { table }: Pick<DueRows, 'table'>,
  now: Date,
  limit: number,
): Promise<string[]> {
  const rows = await db.query<{ merchant_id: string }>(
    sql`SELECT m.merchant_id FROM merchants m CROSS JOIN LATERAL (
        SELECT r.check_at FROM ${table} r WHERE r.merchant_id = m.merchant_id AND r.check_at <= ${now}
        ORDER BY r.check_at LIMIT 1) due
      ORDER BY due.check_at LIMIT ${limit}`,
  );
  return rows.map((row) => row.merchant_id);
}

/** Books that have a due row, where the platform's own may have some too; the longest due first (D-1185). */
export async function selectBooksWithDue(
  db: Queryable,
  { table }: Pick<DueRows, 'table'>,
  now: Date,
  limit: number,
): Promise<string[]> {
  const rows = await db.query<{ merchant_id: string }>(
    sql`SELECT merchant_id FROM ${table} WHERE check_at <= ${now}
      GROUP BY merchant_id ORDER BY min(check_at) LIMIT ${limit}`,
  );
  return rows.map((row) => row.merchant_id);
}

interface Claim {
  merchant_id: string;
  now: Date;
  /** When the claimed rows are due again. No other worker takes them before. */
  until: Date;
  limit: number;
}

/** Claims due rows of a merchant, the longest due first. */
export function claimDue<T>(
  tx: Tx,
  { table, id, columns }: DueRows,
  { merchant_id, now, until, limit }: Claim,
): Promise<T[]> {
  return tx.query<T & Row>(
    sql`WITH due AS (
        SELECT ${id} AS id FROM ${table}
        WHERE merchant_id = ${merchant_id} AND check_at <= ${now} ORDER BY check_at LIMIT ${limit}
        FOR UPDATE SKIP LOCKED)
      UPDATE ${table} SET check_at = ${until} FROM due
      WHERE merchant_id = ${merchant_id} AND ${id} = due.id
      RETURNING ${columns}`,
  );
}
