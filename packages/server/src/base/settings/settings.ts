/**
 * Settings of the whole platform (table `platform_settings`). They are read from the database where they decide, never
 * from a cache. A new setting is a member here and in the schemas of the contract; it needs no migration.
 */
import type { SettingsAnswer } from '@paydesk/contract';
import type { Queryable, Tx } from '../pg/index.ts';
import { lockSettings, selectSettings, upsertSetting } from './settings.sql.ts';

/** The values as `GET /admin/v1/settings` shows them. */
export type Settings = SettingsAnswer;

const defaults: Settings = { four_eyes_ptk: '0' };

/** Every setting: what was set, or its default. */
export const readSettings = async (db: Queryable): Promise<Settings> => valuesOf(await selectSettings(db));

/**
 * Sets the members of `change` and leaves the others. Concurrent changes wait for each other.
 *
 * @returns all settings before and after
 */
export async function changeSettings(
  tx: Tx,
  change: Partial<Settings>,
): Promise<{ before: Settings; after: Settings }> {
  await lockSettings(tx);
  const before = await readSettings(tx);
  for (const [name, value] of Object.entries(change)) await upsertSetting(tx, name, value);
  return { before, after: { ...before, ...change } };
}

/** A newer version of the service may have stored settings that this one does not know. */
const valuesOf = (rows: readonly { name: string; value: unknown }[]): Settings => ({
  ...defaults,
  ...Object.fromEntries(
    rows.filter(({ name }) => Object.hasOwn(defaults, name)).map(({ name, value }) => [name, value]),
  ),
});
