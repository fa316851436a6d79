import { existsSync } from 'node:fs';
import { expect, test } from 'vitest';
import { builtFiles } from './built-files.ts';

test.each(Object.entries(builtFiles))('the source of %s exists', (_name, { pathname }) => {
  const source = pathname.replace(/\/dist\/(.*)\.js$/, '/src/$1.ts');
  expect(existsSync(source), source).toBe(true);
});
