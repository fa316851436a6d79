import { type Sql, sql } from '../../base/pg/index.ts';

/**
 * Takes one row that is due off a queue of mails, and puts it off until `next`: no other worker takes it meanwhile, and
 * one that dies with it leaves it to the next.
 *
 * @param table with `due_at` and `tries`
 * @param id its key
 */
export const claimDue = (table: Sql, id: Sql, columns: Sql, now: Date, next: Date): Sql =>
  sql`UPDATE ${table} SET due_at = ${next}, tries = tries + 1 WHERE ${id} = (
      SELECT ${id} FROM ${table} WHERE due_at <= ${now} ORDER BY due_at LIMIT 1 FOR UPDATE SKIP LOCKED
    ) RETURNING ${columns}`;
