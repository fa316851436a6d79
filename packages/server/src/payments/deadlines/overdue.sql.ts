/** The statements by which the sweep finds and locks the overdue orders of one kind (D-113). */
import { type Queryable, type Row, type Sql, sql, type Tx } from '../../base/pg/index.ts';
import type { OverdueMark, Sweepable } from './sweep-overdue.ts';

/** Where one kind of order is stored. Its table has `merchant_id`, `order_no` and `expires_at`. */
export interface OverdueTable {
  table: Sql;
  columns: Sql;
  /** The condition of its partial index: the order waits for a payment. Names a column without a prefix. */
  isPending: Sql;
}

export function overdueOrders<O extends OverdueMark>({
  table,
  columns,
  isPending,
}: OverdueTable): Pick<Sweepable<O>, 'selectMerchants' | 'lockOverdue'> {
  return {
    async selectMerchants(db: Queryable, now: Date, after: string, limit: number) {
      const rows = await db.query<{ merchant_id: string }>(
        sql`SELECT m.merchant_id FROM merchants m CROSS JOIN LATERAL (
            SELECT 1 FROM ${table} o
            WHERE o.merchant_id = m.merchant_id AND ${isPending} AND o.expires_at <= ${now} LIMIT 1) due
          WHERE m.merchant_id > ${after} ORDER BY m.merchant_id LIMIT ${limit}`,
      );
      return rows.map((row) => row.merchant_id);
    },
    // What another sweep holds is skipped, so two sweeps never move one order twice.
    lockOverdue(tx: Tx, merchant_id: string, now: Date, behind: OverdueMark | null, limit: number) {
      const further =
        behind === null
          ? sql``
          : sql`AND (expires_at, order_no) > (${behind.expires_at}, ${behind.order_no})`;
      return tx.query<O & Row>(
        sql`SELECT ${columns} FROM ${table}
          WHERE merchant_id = ${merchant_id} AND ${isPending} AND expires_at <= ${now} ${further}
          ORDER BY expires_at, order_no LIMIT ${limit} FOR UPDATE SKIP LOCKED`,
      );
    },
  };
}
