import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { root } from '../support/rules/guide.ts';

/**
 * A package's build refers to each package that its sources import. Without the reference the build passes where the
 * other one was built before, and fails on a fresh clone.
 */

const packages = readdirSync(join(root, 'packages'));

const configOf = (name: string): string => {
  const paths = ['tsconfig.build.json', 'tsconfig.json'].map((file) => join(root, 'packages', name, file));
  return readFileSync(paths.find(existsSync) ?? '', 'utf8');
};

/** What its sources import, and its tests where the build checks them. */
const importsOf = (name: string, config: string): Set<string> => {
  const hasTests = !config.includes('"exclude"');
  const src = join(root, 'packages', name, 'src');
  const sources = readdirSync(src, { recursive: true, encoding: 'utf8' }).filter(
    (path) => /\.tsx?$/.test(path) && (hasTests || !/\.test\.tsx?$/.test(path)),
  );
  const named = sources.flatMap((path) =>
    [
      ...readFileSync(join(src, path), 'utf8').matchAll(/^(?:import|export|\}) .*from '@paydesk\/([a-z]+)/gm),
    ].map(([, other = '']) => other),
  );
  return new Set(named);
};

test.each(packages)('the build of %s refers to what its sources import', (name) => {
  const config = configOf(name);
  const missing = [...importsOf(name, config)].filter(
    (other) => other !== name && !config.includes(`"../${other}/tsconfig`),
  );
  expect(missing).toEqual([]);
});
