import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { inlineCodeOf, readPage, root } from '../support/rules/guide.ts';

/** All files of a folder, by their paths from the root of the repository. */
const filesBelow = (folder: string): string[] =>
  readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = `${folder}/${entry.name}`;
    if (entry.isDirectory()) return ['node_modules', 'dist'].includes(entry.name) ? [] : filesBelow(path);
    return [path];
  });

test('the files and names that a recipe names exist', () => {
  const files = ['docs', 'packages', 'scripts'].flatMap(filesBelow);
  const sources = files
    .filter((path) => /\.(tsx?|js|sql)$/.test(path))
    .map((path) => readFileSync(join(root, path), 'utf8'));
  const exists = (code: string): boolean => {
    if (/^\w+$/.test(code)) return sources.some((text) => text.includes(code));
    // Other code is a command, an element, an address or a file that is to be written.
    if (!/^[\w.-]+\/[\w./-]*$|^[\w.-]+\.(tsx?|js)$/.test(code) || code.includes('/0099_')) return true;
    const path = `/${code.replace(/\/$/, '')}`;
    return files.some((file) => `/${file}`.endsWith(path) || `/${file}`.includes(`${path}/`));
  };
  const wrong = filesBelow('docs/recipes').flatMap((path) =>
    inlineCodeOf(readPage(path))
      .filter((code) => !exists(code))
      .map((code) => `${path}: ${code}`),
  );
  expect(wrong).toEqual([]);
});
