/** Statements on batches of archived orders (table `archive_batches`). */
import { type Queryable, type Row, sql, type Tx } from '../../base/pg/index.ts';
import { batchDigest } from '../../payments/facts/index.ts';

export interface Batch {
  merchant_id: string;
  batch_no: bigint;
  /** The file's name in the folder of the archive, and the SHA-256 of its bytes in hex. */
  file: string;
  sha256: string;
  archived_at: Date;
}

/** The number of a merchant's next batch. Two runs that take the same number exclude each other by the key. */
export async function selectNextBatchNo(tx: Tx, merchant_id: string): Promise<bigint> {
  const [row] = await tx.query<{ batch_no: bigint }>(
    sql`SELECT coalesce(max(batch_no), 0) + 1 AS batch_no FROM archive_batches WHERE merchant_id = ${merchant_id}`,
  );
  return row?.batch_no ?? 1n;
}

/** The smallest and the largest; null without values. Order numbers are ASCII, so they sort here as in the database. */
const endsOf = <T extends string | bigint>(values: readonly T[]): { first: T | null; last: T | null } => ({
  first: values.reduce<T | null>((least, one) => (least === null || one < least ? one : least), null),
  last: values.reduce<T | null>((most, one) => (most === null || one > most ? one : most), null),
});

/** Inserts a batch after its orders and seal lines; returns the digest over them, in hex. */
export async function insertBatch(
  tx: Tx,
  { merchant_id, batch_no, file, sha256, archived_at }: Batch,
  order_nos: readonly string[],
  seal_nos: readonly bigint[],
): Promise<string> {
  const [orders, seals] = [endsOf(order_nos), endsOf(seal_nos)];
  await tx.query(
    sql`INSERT INTO archive_batches (merchant_id, batch_no, file, sha256, orders, first_order, last_order, first_seal,
        last_seal, archived_at)
      VALUES (${merchant_id}, ${batch_no}, ${file}, decode(${sha256}, 'hex'), ${order_nos.length},
        ${orders.first}, ${orders.last}, ${seals.first}, ${seals.last}, ${archived_at})`,
  );
  const [row] = await tx.query<{ digest: string }>(
    sql`SELECT ${batchDigest} AS digest FROM archive_batches b
      WHERE b.merchant_id = ${merchant_id} AND b.batch_no = ${batch_no}`,
  );
  return row?.digest ?? '';
}

/** Where the rows of an archived order are. */
export interface ArchivePlace extends Row {
  order_no: string;
  file: string;
  archived_at: Date;
}

/** Finds which of these orders are archived, and their places. */
export function selectArchivePlaces(
  db: Queryable,
  orders: readonly { merchant_id: string; order_no: string }[],
): Promise<ArchivePlace[]> {
  if (orders.length === 0) return Promise.resolve([]);
  return db.query<ArchivePlace>(
    sql`SELECT r.order_no, b.file, b.archived_at
      FROM unnest(${orders.map(({ merchant_id }) => merchant_id)}::uuid[], ${orders.map(({ order_no }) => order_no)}::text[])
          AS o(merchant_id, order_no)
        JOIN archived_orders r ON r.merchant_id = o.merchant_id AND r.order_no = o.order_no
        JOIN archive_batches b ON b.merchant_id = r.merchant_id AND b.batch_no = r.batch_no`,
  );
}

/** Where the rows of an order are, if they have left. */
export async function selectArchivePlace(
  db: Queryable,
  { merchant_id, order_no }: { merchant_id: string; order_no: string },
): Promise<ArchivePlace | null> {
  const [row] = await db.query<ArchivePlace>(
    sql`SELECT r.order_no, b.file, b.archived_at FROM archived_orders r
        JOIN archive_batches b ON b.merchant_id = r.merchant_id AND b.batch_no = r.batch_no
      WHERE r.merchant_id = ${merchant_id} AND r.order_no = ${order_no}`,
  );
  return row ?? null;
}
