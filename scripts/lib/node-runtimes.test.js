import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { refusalOfNode } from '../../packages/server/bin/node-version.js';
import { environmentWith, runtimes, versionOf } from './node-runtimes.js';
import { root } from './workspace.js';

const refused = ['18.20.8', '20.18.3', '21.7.3', '22.11.0', '23.11.1'];
const taken = ['20.19.0', '22.12.0', '22.23.3', '24.0.0', '25.2.1', '26.0.0'];

test('an unsupported Node.js is refused in one line that names the recommended one', () => {
  for (const version of refused) {
    expect(refusalOfNode(version)).toMatch(
      new RegExp(`^[^\\n]*Node\\.js ${version.replaceAll('.', '\\.')}[^\\n]*24 \\(recommended\\)[^\\n]*$`),
    );
  }
  expect(taken.map(refusalOfNode)).toEqual(taken.map(() => null));
});

test('the tests run on the oldest supported version, and on one of each other major version', () => {
  const majors = [...runtimes.values()].map((version) => version.split('.')[0]);
  expect(new Set(majors)).toEqual(new Set(['20', '22', '24']));
  expect([...runtimes.values()].map(refusalOfNode)).toEqual([null, null, null, null]);
  expect(versionOf('20.19')).toBe('20.19.0');
  expect(versionOf('24.0.1')).toBe('24.0.1');
  expect(() => versionOf('lts')).toThrow(/"lts" is no version of Node\.js: give 20\.19, 20, 22, 24/);
});

test('packages name the same versions for npm', () => {
  for (const path of ['package.json', 'packages/server/package.json', 'packages/cardsim/package.json']) {
    const { engines } = JSON.parse(readFileSync(join(root, path), 'utf8'));
    expect([path, engines]).toEqual([path, { node: '^20.19.0 || ^22.12.0 || >=24.0.0' }]);
  }
  expect(readFileSync(join(root, '.nvmrc'), 'utf8')).toBe('24\n');
});

test('programs that a test starts by name run on the same Node.js', () => {
  expect(environmentWith('/there/bin/node', { PATH: '/usr/bin', LANG: 'C' })).toEqual({
    PATH: '/there/bin:/usr/bin',
    LANG: 'C',
  });
});
