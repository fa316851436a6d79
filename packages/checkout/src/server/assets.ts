/** The built scripts and styles of the buyer's pages (build-assets.js writes them). */
import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';

/** One built file, served at `{base_path}/checkout/assets/{name}`. */
export interface Asset {
  /** Contains the content's hash, so that browsers cache it as immutable. */
  name: string;
  content_type: string;
  bytes: Buffer;
  /** The bytes compressed with Brotli and with gzip. */
  br: Buffer;
  gzip: Buffer;
  /** `sha256-…` in base64: the `integrity` of the script. */
  integrity: string;
}

/** The scripts and the style of the pages. */
export interface Assets {
  /** The scripts by name. */
  files: ReadonlyMap<string, Asset>;
  /** The script of the checkout, small so that its first view is (D-256); null if it was not built: the page works without. */
  script: Asset | null;
  /** The script of the checkout with what only pages in frames and pages around top-ups need; null if it was not built. */
  full: Asset | null;
  /** The script of the account's pages; null if it was not built: passkey forms then stay hidden, and times are in UTC. */
  passkeys: Asset | null;
  /** The script with which merchants show the checkout in their pages; null if it was not built. */
  embed: Asset | null;
  /** The style of every page. It is inlined, so that the first paint waits for no request. */
  style: string;
  /** The style of the pages beside the checkout. */
  account: string;
}

/** Written by `build-assets.js`. */
interface Manifest {
  script: string;
  full: string;
  passkeys: string;
  embed: string;
  style: string;
  account: string;
}

const types: Readonly<Record<string, string>> = {
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
};

/** No assets: pages are plain HTML and still work. For tests that do not look at them. */
export const bareAssets: Assets = {
  files: new Map(),
  script: null,
  full: null,
  passkeys: null,
  embed: null,
  style: '',
  account: '',
};

/** The directory that `npm run build:assets` writes; the same from the sources and from the built package. */
export const assetsDir = new URL('../../dist/assets/', import.meta.url);

/** Whether the assets were built. */
export const assetsBuilt = (dir = assetsDir): boolean => existsSync(new URL('manifest.json', dir));

/**
 * Reads the built assets; once, at the start of the process.
 *
 * @throws Error if they were not built
 */
export function loadAssets(dir = assetsDir): Assets {
  if (!assetsBuilt(dir)) {
    throw new Error('the checkout page is not built: run npm run build:assets -w packages/checkout');
  }
  const manifest = JSON.parse(readFileSync(new URL('manifest.json', dir), 'utf8')) as Manifest;
  const script = assetOf(dir, manifest.script);
  const full = assetOf(dir, manifest.full);
  const passkeys = assetOf(dir, manifest.passkeys);
  const embed = assetOf(dir, manifest.embed);
  const styleOf = (name: string): string => readFileSync(new URL(name, dir), 'utf8').trim();
  return {
    files: new Map([script, full, passkeys].map((asset) => [asset.name, asset])),
    script,
    full,
    passkeys,
    embed,
    style: styleOf(manifest.style),
    account: styleOf(manifest.account),
  };
}

function assetOf(dir: URL, name: string): Asset {
  const bytes = readFileSync(new URL(name, dir));
  const [extension = ''] = name.split('.').slice(-1);
  return {
    name,
    content_type: types[extension] ?? 'application/octet-stream',
    bytes,
    br: readFileSync(new URL(`${name}.br`, dir)),
    gzip: readFileSync(new URL(`${name}.gz`, dir)),
    integrity: `sha256-${createHash('sha256').update(bytes).digest('base64')}`,
  };
}

/** The path of an asset. */
export const assetPath = (base_path: string, asset: Asset): string =>
  `${base_path}/checkout/assets/${asset.name}`;
