import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

/** The bundle of the consoles, in memory. */
export interface ConsoleAssets {
  /** By name. Each name contains a hash of the content. */
  files: ReadonlyMap<string, ConsoleAsset>;
  /** The files that the page itself loads, by name. */
  script: string;
  preloads: readonly string[];
  styles: readonly string[];
  /** The files with the texts that every screen needs, by language. */
  texts: Readonly<Record<string, readonly string[]>>;
}

export interface ConsoleAsset {
  content_type: string;
  bytes: Buffer;
  /** The content compressed with Brotli and with gzip; null where the build does not compress it. */
  br: Buffer | null;
  gzip: Buffer | null;
}

const types: Readonly<Record<string, string>> = {
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
  svg: 'image/svg+xml',
  woff2: 'font/woff2',
};

let built: ConsoleAssets | null = null;

/** The built console of `packages/console`; null if it is not built. All services of a process share what was read. */
export const consoleAssets = (): ConsoleAssets | null => (built ??= loadAssets(manifestPath()));

function loadAssets(manifest: string | null): ConsoleAssets | null {
  if (manifest === null || !existsSync(manifest)) return null;
  const dir = dirname(manifest);
  const {
    script,
    preloads,
    styles,
    texts = {},
  } = JSON.parse(readFileSync(manifest, 'utf8')) as {
    script: string;
    preloads: string[];
    styles: string[];
    texts?: Record<string, string[]>;
  };
  const files = new Map<string, ConsoleAsset>();
  for (const name of readdirSync(dir)) {
    const content_type = types[name.split('.').at(-1) ?? ''];
    if (content_type === undefined) continue;
    const compressed = (extension: string): Buffer | null => {
      const path = join(dir, `${name}.${extension}`);
      return existsSync(path) ? readFileSync(path) : null;
    };
    files.set(name, {
      content_type,
      bytes: readFileSync(join(dir, name)),
      br: compressed('br'),
      gzip: compressed('gz'),
    });
  }
  return { files, script, preloads, styles, texts };
}

/** The package's export points to a missing file if it is not built; `resolve` does not check that. */
function manifestPath(): string | null {
  try {
    return createRequire(import.meta.url).resolve('@paydesk/console/manifest.json');
  } catch {
    return null;
  }
}
