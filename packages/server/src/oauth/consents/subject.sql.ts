/** The name (`sub`) under which a client knows a person: another one for each client (D-174). */
import { type Queryable, sql } from '../../base/pg/index.ts';

/** Returns the name; stores `fresh` as the name where there is none. */
export async function ensureSubject(
  db: Queryable,
  user_id: string,
  client_id: string,
  fresh: string,
): Promise<string> {
  const known = sql`SELECT sub FROM oauth_subjects WHERE user_id = ${user_id} AND client_id = ${client_id}`;
  const [row] = await db.query<{ sub: string }>(known);
  if (row !== undefined) return row.sub;
  await db.query(
    sql`INSERT INTO oauth_subjects (user_id, client_id, sub) VALUES (${user_id}, ${client_id}, ${fresh})
      ON CONFLICT (user_id, client_id) DO NOTHING`,
  );
  const [made] = await db.query<{ sub: string }>(known);
  return made?.sub ?? fresh;
}
