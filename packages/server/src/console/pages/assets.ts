import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

/** The bundle of the consoles. Its files stay on the disk: a browser asks for each once, and there are hundreds. */
export interface ConsoleAssets {
  /** By name. Each name contains a hash of the content. */
  files: ReadonlyMap<string, ConsoleAsset>;
  /** The files that the page itself loads, by name. */
  script: string;
  preloads: readonly string[];
  styles: readonly string[];
  /** The files of the texts, by language and area. */
  texts: Readonly<Record<string, Readonly<Record<string, string>>>>;
  screens: readonly ConsoleScreen[];
}

/** What a screen needs besides the page's own files. */
export interface ConsoleScreen {
  /** The path of its route: `/platform/merchants/$merchant_no`. */
  path: string;
  preloads: readonly string[];
  /** The areas of texts that it reads. */
  areas: readonly string[];
}

export interface ConsoleAsset {
  content_type: string;
  path: string;
  /** The paths of the same file compressed with Brotli and with gzip; null where the build does not compress it. */
  br: string | null;
  gzip: string | null;
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
  const { script, preloads, styles, texts, screens } = JSON.parse(readFileSync(manifest, 'utf8')) as Omit<
    ConsoleAssets,
    'files'
  >;
  const names = new Set(readdirSync(dir));
  const pathOf = (name: string): string | null => (names.has(name) ? join(dir, name) : null);
  const files = new Map<string, ConsoleAsset>();
  for (const name of names) {
    const content_type = types[name.split('.').at(-1) ?? ''];
    if (content_type === undefined) continue;
    files.set(name, {
      content_type,
      path: join(dir, name),
      br: pathOf(`${name}.br`),
      gzip: pathOf(`${name}.gz`),
    });
  }
  return { files, script, preloads, styles, texts, screens };
}

/** The package's export points to a missing file if it is not built; `resolve` does not check that. */
function manifestPath(): string | null {
  try {
    return createRequire(import.meta.url).resolve('@paydesk/console/manifest.json');
  } catch {
    return null;
  }
}
