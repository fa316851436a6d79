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
}

export interface ConsoleAsset {
  content_type: string;
  bytes: Buffer;
  /** The content in Brotli; null if compression saves too little. */
  compressed: Buffer | null;
}

const types: Readonly<Record<string, string>> = {
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
  svg: 'image/svg+xml',
  woff2: 'font/woff2',
};

/** Loads the built console of `packages/console`; null if it is not built. */
export function loadConsoleAssets(manifest = manifestPath()): ConsoleAssets | null {
  if (manifest === null || !existsSync(manifest)) return null;
  const dir = dirname(manifest);
  const { script, preloads, styles } = JSON.parse(readFileSync(manifest, 'utf8')) as {
    script: string;
    preloads: string[];
    styles: string[];
  };
  const files = new Map<string, ConsoleAsset>();
  for (const name of readdirSync(dir)) {
    const content_type = types[name.split('.').at(-1) ?? ''];
    if (content_type === undefined) continue;
    const compressed = join(dir, `${name}.br`);
    files.set(name, {
      content_type,
      bytes: readFileSync(join(dir, name)),
      compressed: existsSync(compressed) ? readFileSync(compressed) : null,
    });
  }
  return { files, script, preloads, styles };
}

/** The package's export points to a missing file if it is not built; `resolve` does not check that. */
function manifestPath(): string | null {
  try {
    return createRequire(import.meta.url).resolve('@paydesk/console/manifest.json');
  } catch {
    return null;
  }
}
