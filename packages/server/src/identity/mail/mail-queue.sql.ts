/** The claim that all mail queues share. */
import { claimInTurn, type Database, type Row, type Sql, sql } from '../../base/pg/index.ts';

/**
 * Claims one due row: counts a try and moves its `due_at` to `next`. Until then no other worker takes the row; if this
 * worker dies, another one takes it then. Every node of a distributed database chooses by itself, so the order has no ties
 * (D-622).
 *
 * @param table has the columns `due_at` and `tries`
 * @param id the column of its key
 * @returns null where none is due
 */
export async function claimMail<R extends Row>(
  db: Database,
  { table, id, columns }: { table: Sql; id: Sql; columns: Sql },
  now: Date,
  next: Date,
): Promise<R | null> {
  const [row] = await claimInTurn<R>(
    db,
    table,
    sql`UPDATE ${table} SET due_at = ${next}, tries = tries + 1 WHERE ${id} = (
        SELECT ${id} FROM ${table} WHERE due_at <= ${now} ORDER BY due_at, ${id} LIMIT 1 FOR UPDATE SKIP LOCKED
      ) RETURNING ${columns}`,
  );
  return row ?? null;
}
