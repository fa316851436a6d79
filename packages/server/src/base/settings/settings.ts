/**
 * Settings of the whole platform (table `platform_settings`). They are read from the database where they decide, never
 * from a cache. A new setting is a member here and in the schemas of the contract; it needs no migration.
 */
import type { Queryable, Tx } from '../pg/index.ts';
import { defaultBranding, type StoredBranding } from './branding.ts';
import { lockSettings, selectSetting, selectSettings, upsertSetting } from './settings.sql.ts';

export interface Settings {
  /** PTK in the eighth decimal, as digits. */
  four_eyes_ptk: string;
  branding: StoredBranding;
  /** Whether people can open accounts themselves. */
  sign_up: boolean;
  /** The platform's terms, with HTTPS; null where there are none. */
  terms_url: string | null;
  top_up: TopUpSettings;
}

/** Top-ups by card. Limits are PTK in the eighth decimal, as digits; null for none. */
export interface TopUpSettings {
  enabled: boolean;
  /** The platform's own merchant, whose orders top-ups are. */
  merchant_no: string | null;
  max_per_payment: string | null;
  /** For one person, within 24 hours. */
  max_per_day: string | null;
}

/** What a change sets. In the branding and in top-ups it sets only the members that it names. */
export type SettingsWrite = Partial<Omit<Settings, 'branding' | 'top_up'>> & {
  branding?: Partial<StoredBranding>;
  top_up?: Partial<TopUpSettings>;
};

/** The bytes of a logo, as they are shown. */
export interface BrandLogo {
  content_type: string;
  content_hash: string;
  content: Buffer;
}

const defaults: Settings = {
  four_eyes_ptk: '0',
  branding: defaultBranding,
  sign_up: true,
  terms_url: null,
  top_up: { enabled: false, merchant_no: null, max_per_payment: null, max_per_day: null },
};

/** Not among the settings that are read together: its bytes are large. */
const logoRow = 'branding.logo';

/** Every setting: what was set, or its default. */
export const readSettings = async (db: Queryable): Promise<Settings> =>
  valuesOf(await selectSettings(db, Object.keys(defaults)));

/**
 * Sets the members of `change` and leaves the others. Concurrent changes wait for each other.
 *
 * @param logo the bytes of a new logo, if the change names one
 * @returns all settings before and after
 */
export async function changeSettings(
  tx: Tx,
  change: SettingsWrite,
  logo: BrandLogo | null = null,
): Promise<{ before: Settings; after: Settings }> {
  await lockSettings(tx);
  const before = await readSettings(tx);
  const { branding, top_up, ...others } = change;
  const changed: Partial<Settings> = {
    ...others,
    ...(branding === undefined ? {} : { branding: { ...before.branding, ...branding } }),
    ...(top_up === undefined ? {} : { top_up: { ...before.top_up, ...top_up } }),
  };
  for (const [name, value] of Object.entries(changed)) await upsertSetting(tx, name, value);
  if (logo !== null) {
    await upsertSetting(tx, logoRow, { ...logo, content: logo.content.toString('base64') });
  }
  return { before, after: { ...before, ...changed } };
}

export async function selectBrandLogo(db: Queryable): Promise<BrandLogo | null> {
  const stored = (await selectSetting(db, logoRow)) as
    | (Omit<BrandLogo, 'content'> & { content: string })
    | null;
  return stored === null ? null : { ...stored, content: Buffer.from(stored.content, 'base64') };
}

const valuesOf = (rows: readonly { name: string; value: unknown }[]): Settings => ({
  ...defaults,
  ...Object.fromEntries(rows.map(({ name, value }) => [name, value])),
});
