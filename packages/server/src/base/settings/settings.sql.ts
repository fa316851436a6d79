/** Statements on the platform's settings. */
import { type Queryable, type Row, sql, type Tx } from '../pg/index.ts';
import { writeJson } from '../input/json.ts';

/** Makes changes of settings wait for each other. Reads do not wait. */
export async function lockSettings(tx: Tx): Promise<void> {
  await tx.query(sql`LOCK TABLE platform_settings IN SHARE ROW EXCLUSIVE MODE`);
}

/** A newer version of the service may have stored settings that this one does not know. */
export function selectSettings(
  db: Queryable,
  names: readonly string[],
): Promise<{ name: string; value: unknown }[]> {
  return db.query<{ name: string; value: unknown } & Row>(
    sql`SELECT name, value FROM platform_settings WHERE name = ANY(${names})`,
  );
}

export async function selectSetting(db: Queryable, name: string): Promise<unknown> {
  const [row] = await selectSettings(db, [name]);
  return row?.value ?? null;
}

export async function upsertSetting(tx: Tx, name: string, value: unknown): Promise<void> {
  await tx.query(
    sql`INSERT INTO platform_settings (name, value) VALUES (${name}, ${writeJson(value)}::jsonb)
      ON CONFLICT (name) DO UPDATE SET value = excluded.value`,
  );
}
