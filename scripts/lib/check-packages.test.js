import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { wrongLicences, wrongRepository, wrongSdks } from './check-packages.js';
import { root } from './workspace.js';

const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
let copy = '';

beforeAll(() => {
  copy = mkdtempSync(join(tmpdir(), 'paydesk-sdks-'));
  cpSync(join(root, 'LICENSE'), join(copy, 'LICENSE'));
  cpSync(join(root, 'sdks'), join(copy, 'sdks'), { recursive: true });
});
afterAll(() => {
  rmSync(copy, { recursive: true });
});

test('D-287 the SDKs have the version and the licence of the packages', () => {
  expect(wrongSdks(version, join(root, 'sdks'))).toEqual([]);
});

test('D-287 an SDK with another version or without its licence is named', () => {
  const file = join(copy, 'sdks', 'go', 'doc.go');
  writeFileSync(file, readFileSync(file, 'utf8').replace(`"${version}"`, '"0.0.9"'));
  rmSync(join(copy, 'sdks', 'php', 'LICENSE'));
  const composer = join(copy, 'sdks', 'php', 'composer.json');
  writeFileSync(composer, '{}');
  expect(wrongSdks(version, join(copy, 'sdks'))).toEqual([
    `sdks/php/composer.json has version (none) instead of ${version}`,
    `sdks/go/doc.go has version 0.0.9 instead of ${version}`,
    'sdks/php lacks the LICENSE',
  ]);
});

test('D-369 every library that is installed with our packages may be shipped with them', () => {
  expect(wrongLicences(join(root, 'package-lock.json'))).toEqual([]);
});

test('D-369 a library without a licence that fits is named', () => {
  const lock = join(copy, 'package-lock.json');
  const packages = {
    'node_modules/none': {},
    'node_modules/copyleft': { license: 'AGPL-3.0' },
    'node_modules/one/node_modules/fits': { license: '(MIT OR AGPL-3.0)' },
    'node_modules/for-us-alone': { license: 'AGPL-3.0', dev: true },
    'node_modules/@opentelemetry/in-a-bundle': { license: 'AGPL-3.0', dev: true },
  };
  writeFileSync(lock, JSON.stringify({ packages }));
  expect(wrongLicences(lock)).toEqual([
    'node_modules/none has the licence (none)',
    'node_modules/copyleft has the licence AGPL-3.0',
    'node_modules/@opentelemetry/in-a-bundle has the licence AGPL-3.0',
  ]);
});

test('D-370 nothing is published before the sources have an address, and each package names it', () => {
  const url = 'https://code.example/paydesk';
  const packages = /** @type {import('./check-packages.js').Packed[]} */ ([
    { name: 'one', manifest: { repository: { type: 'git', url, directory: 'packages/one' } } },
    { name: 'two', manifest: {} },
  ]);
  expect(wrongRepository(undefined, packages)).toEqual([expect.stringContaining('where the sources are')]);
  expect(wrongRepository(url, packages)).toEqual([`two has not the repository ${url}`]);
});
