import type { LiveCache } from '../caches/live-cache.ts';
import type { Database } from '../pg/index.ts';
import { type Branding, brandingOf, defaultBranding } from './branding.ts';
import { type BrandLogo, readSettings, selectBrandLogo } from './settings.ts';

/** The branding as this process knows it: it learns of a change within half a second. */
export interface LiveBranding {
  current(): Branding;
  /** The logo with this hash; null if the platform has another one or none. */
  logo(content_hash: string): BrandLogo | null;
}

/** Reads the branding now, and again after each change of a setting. */
export async function watchBranding(db: Database, cache: LiveCache): Promise<LiveBranding> {
  let branding = brandingOf(defaultBranding);
  let logo: BrandLogo | null = null;
  await cache.onChange(async () => {
    const { branding: stored, terms_url } = await readSettings(db);
    if (stored.logo === null) logo = null;
    else if (logo?.content_hash !== stored.logo.content_hash) logo = await selectBrandLogo(db);
    branding = brandingOf(stored, terms_url);
  });
  return {
    current: () => branding,
    logo: (content_hash) => (logo?.content_hash === content_hash ? logo : null),
  };
}
