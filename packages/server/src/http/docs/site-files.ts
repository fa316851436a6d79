/** The built documentation (`packages/docs`): its list of pages in memory, everything else on disk. */
import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import type { PageContent, Site, SiteAsset } from '@paydesk/docs/site';
import { readBuilt } from '../encoding/stored.ts';

export interface SiteFiles {
  site: Site;
  /** @param path of one of the site's pages */
  readPage(path: string): Promise<PageContent>;
  /** The content of a file, in Brotli if asked for; null if there is no such file. */
  readAsset(
    name: string,
    brotli: boolean,
  ): Promise<{ asset: SiteAsset; bytes: Buffer; is_brotli: boolean } | null>;
}

/** Only the API reference, which needs no build: for tests and for a service that runs from its sources. */
const bareSite: Site = {
  sections: [{ title: 'Reference', paths: ['api', 'admin-api'] }],
  pages: [],
  assets: {},
  script: null,
  search_index: null,
};

let built: SiteFiles | null = null;

/** The built documentation, or the API reference alone. All services of a process share what was read. */
export const siteFiles = (): SiteFiles => (built ??= loadSiteFiles(siteFile()));

/** @param file the path of `site.json`; null: the documentation is not built */
export function loadSiteFiles(file: string | null): SiteFiles {
  if (file === null || !existsSync(file)) {
    return {
      site: bareSite,
      readPage: (path) => Promise.reject(new Error(`there is no page ${path}`)),
      readAsset: () => Promise.resolve(null),
    };
  }
  const site = JSON.parse(readFileSync(file, 'utf8')) as Site;
  return {
    site,
    async readPage(path) {
      const page = await readBuilt(join(dirname(file), 'pages', `${path}.json`));
      return JSON.parse(page.toString('utf8')) as PageContent;
    },
    async readAsset(name, brotli) {
      if (!Object.hasOwn(site.assets, name)) return null;
      const asset = site.assets[name];
      if (asset === undefined) return null;
      const is_brotli = brotli && asset.compressed;
      const bytes = await readBuilt(join(dirname(file), 'assets', is_brotli ? `${name}.br` : name));
      return { asset, bytes, is_brotli };
    },
  };
}

/** The package's export points to a missing file if it is not built; `resolve` does not check that. */
function siteFile(): string | null {
  try {
    return createRequire(import.meta.url).resolve('@paydesk/docs/site.json');
  } catch {
    return null;
  }
}
