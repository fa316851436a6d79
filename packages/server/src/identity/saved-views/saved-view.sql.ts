/** Reads and writes the views that people saved (table `saved_views`). */
import { type Queryable, type Row, sql, type Tx } from '../../base/pg/index.ts';

export interface SavedView {
  user_id: string;
  view_id: string;
  list: string;
  name: string;
  /** The part of the page's address after the question mark. */
  query: string;
  saved_at: Date;
}

/** A person's views of a list, by name. No other person sees them (D-324). */
export const selectViews = (db: Queryable, user_id: string, list: string): Promise<SavedView[]> =>
  db.query<SavedView & Row>(
    sql`SELECT user_id, view_id, list, name, query, saved_at FROM saved_views
      WHERE user_id = ${user_id}::uuid AND list = ${list} ORDER BY lower(name), view_id`,
  );

/** Inserts a view, or replaces the person's view of that name. */
export async function upsertView(tx: Tx, v: SavedView): Promise<SavedView> {
  const [saved] = await tx.query<SavedView & Row>(
    sql`INSERT INTO saved_views (user_id, view_id, list, name, query, saved_at)
      VALUES (${v.user_id}::uuid, ${v.view_id}, ${v.list}, ${v.name}, ${v.query}, ${v.saved_at})
      ON CONFLICT (user_id, list, name) DO UPDATE SET query = excluded.query, saved_at = excluded.saved_at
      RETURNING user_id, view_id, list, name, query, saved_at`,
  );
  return saved ?? v;
}

/** A view of this person, locked; null if there is none. */
export async function lockView(tx: Tx, user_id: string, view_id: string): Promise<SavedView | null> {
  const [view] = await tx.query<SavedView & Row>(
    sql`SELECT user_id, view_id, list, name, query, saved_at FROM saved_views
      WHERE user_id = ${user_id}::uuid AND view_id = ${view_id} FOR UPDATE`,
  );
  return view ?? null;
}

/** Gives a view of this person another name. Fails on the unique key if the list already has a view of that name. */
export async function setViewName(tx: Tx, { user_id, view_id }: SavedView, name: string): Promise<void> {
  await tx.query(
    sql`UPDATE saved_views SET name = ${name} WHERE user_id = ${user_id}::uuid AND view_id = ${view_id}`,
  );
}

/** Deletes a view of this person; null if there is none. */
export async function removeView(tx: Tx, user_id: string, view_id: string): Promise<SavedView | null> {
  const [view] = await tx.query<SavedView & Row>(
    sql`DELETE FROM saved_views WHERE user_id = ${user_id}::uuid AND view_id = ${view_id}
      RETURNING user_id, view_id, list, name, query, saved_at`,
  );
  return view ?? null;
}
