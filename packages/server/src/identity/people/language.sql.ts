/** The language of people: of their mails, and of their consoles in every browser (D-340). */
import { type Queryable, sql } from '../../base/pg/index.ts';

/** The language of a person’s mails and consoles; null where it is not known. */
export async function selectLocale(db: Queryable, user_id: string): Promise<string | null> {
  const [row] = await db.query<{ locale: string | null }>(
    sql`SELECT locale FROM users WHERE user_id = ${user_id}`,
  );
  return row?.locale ?? null;
}

/**
 * Stores the language that a person chose. It is read first: a distributed database locks all people for a write, even
 * where it changes nothing (D-620).
 */
export async function updateLocale(db: Queryable, user_id: string, locale: string): Promise<void> {
  if ((await selectLocale(db, user_id)) === locale) return;
  await db.query(sql`UPDATE users SET locale = ${locale} WHERE user_id = ${user_id}`);
}

/**
 * Stores the language in which a person signed in: the one that was chosen in the browser. The one that the browser
 * prefers counts only where none is known, so that a borrowed computer does not undo a choice (D-340).
 */
export async function rememberLocale(
  db: Queryable,
  user_id: string,
  { chosen, locale }: { chosen: string | null; locale: string },
): Promise<void> {
  if (chosen !== null) return updateLocale(db, user_id, chosen);
  if ((await selectLocale(db, user_id)) !== null) return;
  await db.query(sql`UPDATE users SET locale = ${locale} WHERE user_id = ${user_id} AND locale IS NULL`);
}
