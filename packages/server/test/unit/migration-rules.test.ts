import { readFile } from 'node:fs/promises';
import { describe, expect, test } from 'vitest';
import { release } from '../../src/base/release.ts';
import { migrationsDir, parseMigration, readMigrations } from '../../src/base/pg/schema/migration-files.ts';
import { firstUnderRules, upgradeRulesBrokenBy } from '../support/rules/migration-rules.ts';

/** Landed without the header that names the oldest release. */
const withoutHeader = new Set(['0037_partitions_refuse_truncate.sql']);

test('every migration from 33 on can run while both releases work', async () => {
  const migrations = (await readMigrations(migrationsDir)).filter(
    ({ version }) => version >= firstUnderRules,
  );
  const broken = migrations.flatMap((migration) =>
    upgradeRulesBrokenBy(migration, release)
      .filter((rule) => !(withoutHeader.has(migration.name) && rule === 'the header names compatible_from'))
      .map((rule) => `${migration.name}: ${rule}`),
  );
  expect(broken).toEqual([]);
});

test('D-1015 the guide to upgrades has the locks of every migration since the release before', async () => {
  const guide = await readFile(new URL('../../../../docs/operating/upgrades.md', import.meta.url), 'utf8');
  const listed = [...guide.matchAll(/^\| (\d{4}(?:, \d{4})*) \| /gm)].flatMap(([, all = '']) =>
    all.split(', '),
  );
  const names = (await readMigrations(migrationsDir)).map(({ name }) => name.slice(0, 4));
  expect(listed.sort()).toEqual(names.filter((name) => Number(name) >= firstUnderRules));
});

const brokenBy = (text: string, header = '-- compatible_from: 0.1.0\n'): string[] =>
  upgradeRulesBrokenBy(parseMigration('0099_x.sql', header + text), '0.2.0');

const contract: unknown = expect.stringMatching(/names the older release that first did without/);

describe('the rules find what breaks an upgrade', () => {
  test.each([
    ['DROP FUNCTION refuse_write(integer);', contract],
    ['ALTER TABLE a DROP COLUMN b;', contract],
    ['ALTER TABLE a RENAME COLUMN b TO c;', contract],
    ['ALTER TABLE a RENAME TO c;', contract],
    ['ALTER TABLE a ALTER COLUMN b TYPE bigint;', contract],
    ['ALTER TABLE a ALTER COLUMN b SET NOT NULL;', contract],
    ['DROP VIEW a;', contract],
    ['CREATE INDEX a_b ON a (b);', 'an index of an existing table is built CONCURRENTLY'],
    [
      'CREATE UNIQUE INDEX IF NOT EXISTS a_b ON a (b);',
      'an index of an existing table is built CONCURRENTLY',
    ],
    [
      'CREATE INDEX CONCURRENTLY a_b ON a (b);',
      'mode statements has only statements that can be repeated: an index, a column with IF NOT EXISTS, VALIDATE',
    ],
    ['DROP INDEX a_b;', 'an index is dropped CONCURRENTLY'],
    ['ALTER TABLE a ADD CONSTRAINT c CHECK (b > 0);', 'a constraint of an existing table is added NOT VALID'],
    [
      'ALTER TABLE a ADD COLUMN b text, ADD CHECK (b > 0);',
      'a constraint of an existing table is added NOT VALID',
    ],
    [
      'ALTER TABLE a ADD CONSTRAINT c UNIQUE (b);',
      'a key of an existing table is added USING INDEX, after CREATE UNIQUE INDEX CONCURRENTLY',
    ],
    [
      'ALTER TABLE a ADD CONSTRAINT c CHECK (b > 0) NOT VALID; ALTER TABLE a VALIDATE CONSTRAINT c;',
      'a constraint is validated in a later file than it is added',
    ],
    [
      'ALTER TABLE a ADD COLUMN b text NOT NULL;',
      'a new column is nullable or has a default, as the previous release does not write it',
    ],
    ['ALTER TABLE a ADD COLUMN b uuid DEFAULT gen_random_uuid();', 'a new column does not rewrite its table'],
    [
      'ALTER TABLE a ADD COLUMN b text GENERATED ALWAYS AS (lower(c)) STORED;',
      'a new column does not rewrite its table',
    ],
    ['UPDATE a SET b = 1;', 'rows of an existing table are changed in "-- mode: batches"'],
    ['DELETE FROM a WHERE b = 1;', 'rows of an existing table are changed in "-- mode: batches"'],
    [
      'ALTER TABLE a ADD COLUMN b text; ALTER TABLE c ADD COLUMN b text;',
      'a transaction alters one existing table: use "-- mode: statements" or a file for each',
    ],
    ['LOCK TABLE a;', 'no statement locks or rewrites a whole table'],
  ])('%s', (text, rule) => {
    expect(brokenBy(text)).toEqual([rule]);
  });

  test.each([
    ['', 'SELECT 1;', 'the header names compatible_from'],
    ['-- compatible_from: 0.3.0\n', 'SELECT 1;', 'compatible_from is not newer than the release'],
    ['-- compatible_from: 0.1.0\n-- contract: 0.2.0\n', 'DROP VIEW a;', contract],
    [
      '-- compatible_from: 0.0.9\n-- contract: 0.1.0\n',
      'DROP VIEW a;',
      'compatible_from is not older than the release that first did without',
    ],
    [
      '-- compatible_from: 0.1.0\n-- mode: statements\n',
      'ALTER TABLE a ADD COLUMN b text;',
      'mode statements has only statements that can be repeated: an index, a column with IF NOT EXISTS, VALIDATE',
    ],
    [
      '-- compatible_from: 0.1.0\n-- mode: statements\n',
      'CREATE INDEX CONCURRENTLY a_b ON a (b);',
      'mode statements has only statements that can be repeated: an index, a column with IF NOT EXISTS, VALIDATE',
    ],
    [
      '-- compatible_from: 0.1.0\n-- mode: batches\n',
      'UPDATE a SET b = 1;',
      'mode batches has one statement with $1, LIMIT and a result "last"',
    ],
  ])('%j %s', (header, text, rule) => {
    expect(brokenBy(text, header)).toEqual([rule]);
  });
});

describe('and let through what does not', () => {
  test.each([
    'CREATE TABLE a (b text NOT NULL, CONSTRAINT c CHECK (b > 0)); CREATE INDEX a_b ON a (b); UPDATE a SET b = 1;',
    'ALTER TABLE a ADD COLUMN b text;',
    "ALTER TABLE a ADD COLUMN b text NOT NULL DEFAULT '', ADD COLUMN d integer;",
    'ALTER TABLE a DROP CONSTRAINT c; ALTER TABLE a ADD CONSTRAINT c CHECK (b IN (1, 2)) NOT VALID;',
    'ALTER TABLE a ADD CONSTRAINT c UNIQUE USING INDEX a_b;',
    'CREATE OR REPLACE FUNCTION f() RETURNS trigger AS $$ BEGIN DELETE FROM a; UPDATE a SET b = 1; END $$ LANGUAGE plpgsql;',
    'CREATE TRIGGER t BEFORE UPDATE OR DELETE ON a FOR EACH ROW EXECUTE FUNCTION f();',
    'CREATE TRIGGER t BEFORE TRUNCATE ON a FOR EACH STATEMENT EXECUTE FUNCTION f();',
    'INSERT INTO a (b) SELECT max(c) FROM d;',
  ])('%s', (text) => {
    expect(brokenBy(text)).toEqual([]);
  });

  test.each([
    ['-- compatible_from: 0.1.0\n-- contract: 0.1.0\n', 'DROP FUNCTION f();'],
    [
      '-- compatible_from: 0.1.0\n-- mode: statements\n',
      'CREATE INDEX CONCURRENTLY IF NOT EXISTS a_b ON a (b); ALTER TABLE a VALIDATE CONSTRAINT c; ALTER TABLE a ADD COLUMN IF NOT EXISTS d text;',
    ],
    [
      '-- compatible_from: 0.1.0\n-- mode: batches\n',
      'WITH b AS (SELECT k FROM a WHERE k > $1 LIMIT 1000), c AS (UPDATE a SET x = 1 FROM b) SELECT max(k) AS last FROM b;',
    ],
  ])('%j %s', (header, text) => {
    expect(brokenBy(text, header)).toEqual([]);
  });
});
