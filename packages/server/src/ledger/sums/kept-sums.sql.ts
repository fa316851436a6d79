/** The SQL of sums that a worker keeps for the administration: the sums, and the mark of what they were made of. */
import { type Queryable, type Row, type Sql, sql, type Tx } from '../../base/pg/index.ts';
import { isForeign, isNew, type Since } from '../verification/index.ts';

/** Where sums are kept, and what adds to them. */
export interface KeptSums {
  table: Sql;
  /** The table of the mark, which has one row. */
  mark: Sql;
  /** The columns that name a sum. */
  key: Sql;
  /** The key and the `balance` of the sums of the transfers that are new, or of all. */
  of: (since: Since | null) => Sql;
}

/** What the sums were made of: the transfers that this snapshot showed. Null while no sums are kept. */
export interface SumsMark extends Row {
  snapshot: string | null;
  /** The PostgreSQL server that counts its transactions. */
  counted_by: string | null;
}

const noMark: SumsMark = { snapshot: null, counted_by: null };

/** The transfers that are new, or all. */
export const transfersSince = (since: Since | null): Sql =>
  since === null
    ? sql`ledger_transfers`
    : sql`(SELECT * FROM ledger_transfers n WHERE ${isNew(since, sql`n.sealed_xact`)})`;

/** Whether there are transfers of a server that has counted further than this one: then no sums are kept (D-572). */
export async function hasForeignTransfers(tx: Tx): Promise<boolean> {
  const [row] = await tx.query<{ found: boolean }>(
    sql`SELECT EXISTS (SELECT 1 FROM ledger_transfers WHERE ${isForeign(sql`sealed_xact`)}) AS found`,
  );
  return row?.found === true;
}

export async function selectMark(db: Queryable, { mark }: KeptSums): Promise<SumsMark> {
  const [row] = await db.query<SumsMark>(sql`SELECT snapshot, counted_by FROM ${mark}`);
  return row ?? noMark;
}

export async function lockMark(tx: Tx, { mark }: KeptSums): Promise<SumsMark> {
  const [row] = await tx.query<SumsMark>(sql`SELECT snapshot, counted_by FROM ${mark} FOR UPDATE`);
  return row ?? noMark;
}

export async function updateMark(
  db: Queryable,
  { mark }: KeptSums,
  { snapshot, counted_by } = noMark,
): Promise<void> {
  await db.query(sql`UPDATE ${mark} SET snapshot = ${snapshot}, counted_by = ${counted_by}`);
}

export async function deleteSums(tx: Tx, { table }: KeptSums): Promise<void> {
  await tx.query(sql`DELETE FROM ${table}`);
}

/** Adds the transfers that are new, or all; returns how many sums they moved. */
export async function addToSums(tx: Tx, { table, key, of }: KeptSums, since: Since | null): Promise<number> {
  const rows = await tx.query(
    sql`INSERT INTO ${table} AS k (${key}, balance) ${of(since)}
      ON CONFLICT (${key}) DO UPDATE SET balance = k.balance + excluded.balance RETURNING 1 AS one`,
  );
  return rows.length;
}
