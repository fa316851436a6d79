/** The notes that a merchant's people write on an order (table `order_notes`). Buyers and programs do not see them. */
import { type Queryable, type Row, sql, type Tx } from '../../base/pg/index.ts';

export interface OrderNote {
  merchant_id: string;
  order_no: string;
  note_id: string;
  text: string;
  /** The actor, as the audit log names it. */
  author: string;
  created_at: Date;
}

/** The notes of an order, oldest first. */
export const selectNotes = (
  db: Queryable,
  merchant_id: string,
  order_no: string,
  limit: number,
): Promise<OrderNote[]> =>
  db.query<OrderNote & Row>(
    sql`SELECT merchant_id, order_no, note_id, text, author, created_at FROM order_notes
      WHERE merchant_id = ${merchant_id} AND order_no = ${order_no} ORDER BY note_id LIMIT ${limit}`,
  );

export async function insertNote(tx: Tx, n: OrderNote): Promise<void> {
  await tx.query(
    sql`INSERT INTO order_notes (merchant_id, order_no, note_id, text, author, created_at)
      VALUES (${n.merchant_id}, ${n.order_no}, ${n.note_id}, ${n.text}, ${n.author}, ${n.created_at})`,
  );
}

export async function deleteNote(
  tx: Tx,
  { merchant_id, order_no, note_id }: Pick<OrderNote, 'merchant_id' | 'order_no' | 'note_id'>,
): Promise<void> {
  await tx.query(
    sql`DELETE FROM order_notes
      WHERE merchant_id = ${merchant_id} AND order_no = ${order_no} AND note_id = ${note_id}`,
  );
}
