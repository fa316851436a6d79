import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Assets, assetsBuilt, loadAssets } from '../src/index.ts';

const dir = mkdtempSync(join(tmpdir(), 'paydesk-assets-'));
const url = pathToFileURL(`${dir}/`);
let assets: Assets;

beforeAll(() => {
  const script = fileURLToPath(new URL('../build-assets.js', import.meta.url));
  execFileSync(process.execPath, [script, dir], { stdio: 'pipe' });
  assets = loadAssets(url);
});

afterAll(() => {
  rmSync(dir, { recursive: true, force: true });
});

test('D-269 the script for merchants’ pages has at most 4 KB compressed', () => {
  const { bytes, br, gzip } = assets.embed ?? {};
  expect(bytes?.toString()).toContain('checkout_url');
  for (const compressed of [br, gzip]) expect(compressed?.length).toBeLessThanOrEqual(4_096);
});

test('D-255 a name carries the hash of the content, which is stored compressed as well', () => {
  expect([...assets.files.values()]).toEqual([assets.script, assets.full, assets.passkeys]);
  for (const asset of assets.files.values()) {
    const hash = createHash('sha256').update(asset.bytes).digest('hex').slice(0, 16);
    expect(asset.name).toMatch(new RegExp(`^(checkout|full|passkeys)-${hash}\\.js$`));
    expect(asset.content_type).toBe('text/javascript; charset=utf-8');
    for (const unpacked of [brotliDecompressSync(asset.br), gunzipSync(asset.gzip)]) {
      expect(unpacked.equals(asset.bytes)).toBe(true);
    }
  }
});

test('D-256 what only frames and top-ups need is not in the script of all other pages', () => {
  const [lean, full] = [assets.script, assets.full].map((asset) => asset?.bytes.toString() ?? '');
  for (const word of ['postMessage', 'top_up_link']) {
    expect(lean).not.toContain(word);
    expect(full).toContain(word);
  }
});

test('R-382 the bundle names no other host and brings no font', () => {
  const texts = [
    assets.style,
    assets.account,
    ...[...assets.files.values()].map(({ bytes }) => bytes.toString()),
  ];
  for (const text of texts) {
    expect(text).not.toMatch(/@font-face|@import|url\(/);
    // Names of markup vocabularies, and a manual that a warning cites, are not loaded.
    const cited = /http:\/\/www\.w3\.org\/[\w/]+|https:\/\/simplewebauthn\.dev\/docs\/[\w/#-]+/g;
    expect(text.replace(cited, '')).not.toMatch(/https?:\/\/\w/);
  }
});

test('a bundle that was not built is named', () => {
  const nowhere = pathToFileURL(`${dir}/nowhere/`);
  expect(assetsBuilt(nowhere)).toBe(false);
  expect(() => loadAssets(nowhere)).toThrow('npm run build:assets');
});
