import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Assets, assetsBuilt, loadAssets, localeTags, renderCheckout } from '../src/index.ts';
import { cases, contextOf } from './support/views.ts';

const dir = mkdtempSync(join(tmpdir(), 'paydesk-assets-'));
const url = pathToFileURL(`${dir}/`);
let assets: Assets;

beforeAll(() => {
  const script = fileURLToPath(new URL('../build-assets.js', import.meta.url));
  execFileSync(process.execPath, [script, dir], { stdio: 'pipe' });
  assets = loadAssets(url);
}, 60_000);

afterAll(() => {
  rmSync(dir, { recursive: true, force: true });
});

/** 40 KB for the HTML with its style, and the script. */
const limit_bytes = 40 * 1024;

describe('the whole first view, compressed', () => {
  test.each(localeTags)('in %s stays within 40 KB in every state', (locale) => {
    const script = gzipSync(assets.script?.bytes ?? Buffer.alloc(0)).length;
    expect(script).toBeGreaterThan(5_000);
    for (const [name, { view, page }] of Object.entries(cases)) {
      const html = renderCheckout(view, contextOf({ ...page, assets, locale }));
      expect(html).toContain(assets.style);
      expect(gzipSync(html).length + script, name).toBeLessThanOrEqual(limit_bytes);
    }
  });
});

test('a name carries the hash of the content, so that it can be cached for ever', () => {
  expect([...assets.files.values()]).toEqual([assets.script, assets.passkeys]);
  for (const asset of assets.files.values()) {
    const hash = createHash('sha256').update(asset.bytes).digest('hex').slice(0, 16);
    expect(asset.name).toBe(`${asset === assets.script ? 'checkout' : 'passkeys'}-${hash}.js`);
    expect(asset.content_type).toBe('text/javascript; charset=utf-8');
  }
});

test('R-382 the bundle names no other host and brings no font', () => {
  const texts = [assets.style, ...[...assets.files.values()].map(({ bytes }) => bytes.toString())];
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
