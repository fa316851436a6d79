import { describe, expect, test } from 'vitest';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { statementsOf } from './apply.ts';
import { migrationsDir, parseMigration, readMigrations } from './migration-files.ts';

describe('the header of a migration', () => {
  test('names how it runs and the oldest release that may serve after it', () => {
    const text = '-- compatible_from: 0.2.0\n-- mode: statements\n-- Why.\n\nSELECT 1;\n-- mode: batches\n';
    expect(parseMigration('0041_x.sql', text)).toMatchObject({
      ...{ version: 41, mode: 'statements', compatible_from: '0.2.0' },
    });
  });

  test('without one, it runs as one transaction and declares nothing; the first release needed none', () => {
    expect(parseMigration('0041_x.sql', 'SELECT 1;')).toMatchObject({
      mode: 'transaction',
      compatible_from: null,
    });
    expect(parseMigration('0032_x.sql', 'SELECT 1;').compatible_from).toBe('0.1.0');
    expect(parseMigration('0041_x.sql', 'CREATE INDEX CONCURRENTLY a ON b (c);').mode).toBe('statements');
    expect(parseMigration('0041_x.sql', '-- No INDEX CONCURRENTLY here.\nSELECT 1;').mode).toBe(
      'transaction',
    );
  });

  test.each([
    ['-- mode: batch\n', /0041_x\.sql: the mode must be one of/],
    ['-- compatible_from: next\n', /0041_x\.sql: compatible_from must be a release/],
  ])('%s is refused', (text, words) => {
    expect(() => parseMigration('0041_x.sql', text)).toThrow(words);
  });

  test('statements end at their semicolons, and comments are not statements', () => {
    const body = "SELECT $$ a; 'b $$, $x$ $$; $x$, 'it''s; --'";
    expect(statementsOf(`-- a; b\nSELECT 1; -- c;\nSELECT\n 2;\n${body};\n-- end;`)).toEqual([
      ...['SELECT 1', 'SELECT\n 2', body],
    ]);
  });
});

/** The lists of all releases that are kept for tests. */
async function releasedChecksums(): Promise<string[]> {
  const releases = fileURLToPath(new URL('../../../../test/releases', import.meta.url));
  const versions = await readdir(releases);
  const lists = await Promise.all(
    versions.map((one) => readFile(join(releases, one, 'migrations.txt'), 'utf8')),
  );
  return lists.flatMap((list) => list.trimEnd().split('\n'));
}

test('a migration that has landed never changes: checksums.txt has every file, and only grows', async () => {
  const list = await readFile(join(migrationsDir, 'checksums.txt'), 'utf8');
  const here = (await readMigrations(migrationsDir)).flatMap(({ checksum, recorded_checksum, name }) =>
    [...new Set([recorded_checksum, checksum])].map((one) => `${one}  ${name}`),
  );
  const lines = list.trimEnd().split('\n');
  expect(
    lines.filter((line) => !here.includes(line)),
    'a migration that has landed was changed or removed: restore it, and write a new one',
  ).toEqual([]);
  expect(
    here.filter((line) => !lines.includes(line)),
    'a new migration: run "node scripts/migration-checksums.js"',
  ).toEqual([]);
  const released = await releasedChecksums();
  expect(released.length).toBeGreaterThanOrEqual(32);
  expect(
    released.filter((line) => !lines.includes(line)),
    'a migration of a release was changed: restore it and its line',
  ).toEqual([]);
});
