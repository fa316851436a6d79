import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';

/** One built file, to be served at `{base_path}/checkout/assets/{name}` for ever. */
export interface Asset {
  /** Carries the content's hash, so that it can be cached as immutable. */
  name: string;
  content_type: string;
  bytes: Buffer;
  /** `sha256-…` in base64: the `integrity` of the script. */
  integrity: string;
}

/** What the pages are dressed in. */
export interface Assets {
  /** By name. */
  files: ReadonlyMap<string, Asset>;
  /** The script of the checkout; null if it was not built: the page works without. */
  script: Asset | null;
  /** The script of the pages with a passkey form; null if it was not built: the form then stays hidden. */
  passkeys: Asset | null;
  /** The style of every page, inlined so that the first paint waits for nothing. */
  style: string;
}

/** Written by `build-assets.js`. */
interface Manifest {
  script: string;
  passkeys: string;
  style: string;
}

const types: Readonly<Record<string, string>> = {
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
};

/** Nothing: pages then are plain HTML, and still work. For tests that have no use for looks. */
export const bareAssets: Assets = { files: new Map(), script: null, passkeys: null, style: '' };

/** Where `npm run build:assets` puts the bundle: the same place from the sources and from the built package. */
export const assetsDir = new URL('../../dist/assets/', import.meta.url);

/** Whether the bundle was built. */
export const assetsBuilt = (dir = assetsDir): boolean => existsSync(new URL('manifest.json', dir));

/**
 * Reads the built bundle; once, at the start of the process.
 *
 * @throws Error where it was not built
 */
export function loadAssets(dir = assetsDir): Assets {
  if (!assetsBuilt(dir)) {
    throw new Error('the checkout page is not built: run npm run build:assets -w packages/checkout');
  }
  const manifest = JSON.parse(readFileSync(new URL('manifest.json', dir), 'utf8')) as Manifest;
  const script = assetOf(dir, manifest.script);
  const passkeys = assetOf(dir, manifest.passkeys);
  const style = readFileSync(new URL(manifest.style, dir), 'utf8').trim();
  return { files: new Map([script, passkeys].map((asset) => [asset.name, asset])), script, passkeys, style };
}

function assetOf(dir: URL, name: string): Asset {
  const bytes = readFileSync(new URL(name, dir));
  const [extension = ''] = name.split('.').slice(-1);
  return {
    name,
    content_type: types[extension] ?? 'application/octet-stream',
    bytes,
    integrity: `sha256-${createHash('sha256').update(bytes).digest('base64')}`,
  };
}

/** The address of an asset on its own origin. */
export const assetPath = (base_path: string, asset: Asset): string =>
  `${base_path}/checkout/assets/${asset.name}`;
