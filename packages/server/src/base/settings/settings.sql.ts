/** Statements on the platform's settings. */
import { type Queryable, type Row, sql, type Tx } from '../pg/index.ts';
import { writeJson } from '../input/json.ts';

/** Makes changes of settings wait for each other. Reads do not wait. */
export async function lockSettings(tx: Tx): Promise<void> {
  await tx.query(sql`LOCK TABLE platform_settings IN SHARE ROW EXCLUSIVE MODE`);
}

export function selectSettings(db: Queryable): Promise<{ name: string; value: unknown }[]> {
  return db.query<{ name: string; value: unknown } & Row>(sql`SELECT name, value FROM platform_settings`);
}

export async function upsertSetting(tx: Tx, name: string, value: unknown): Promise<void> {
  await tx.query(
    sql`INSERT INTO platform_settings (name, value) VALUES (${name}, ${writeJson(value)}::jsonb)
      ON CONFLICT (name) DO UPDATE SET value = excluded.value`,
  );
}
