/** Claims of due rows in tables that every node of a cluster has. */
import type { Database } from './db.ts';
import { type Sql, sql } from './sql.ts';
import type { Row } from './statements.ts';
import type { Tx } from './transactions.ts';

/**
 * Runs a statement that chooses rows and claims them. Each node of a cluster runs it on its own copy: the coordinator chooses
 * by what it saw before it waited for another claim, and the others by what they see after that. So there the table is locked
 * before, and all choose the same rows (D-1170).
 *
 * @param table has the column `due_at`
 */
export async function claimInTurn<R extends Row>(db: Database | Tx, table: Sql, claim: Sql): Promise<R[]> {
  if (db.isDistributed !== true) return db.query<R>(claim);
  if ('transaction' in db) return db.transaction((tx) => claimInTurn<R>(tx, table, claim));
  await db.query(sql`SELECT 1 AS locked FROM ${table} WHERE due_at = '-infinity' FOR UPDATE`);
  return db.query<R>(claim);
}
