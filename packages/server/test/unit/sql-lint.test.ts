import { readdir, readFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { migrationsDir } from '../../src/base/pg/index.ts';
import { allowedStatements, inOneLine, isAllowed } from '../support/rules/allowed-statements.ts';
import {
  merchantTablesIn,
  rulesBrokenBy,
  rulesBrokenByMigration,
  type SourceStatement,
  statementsIn,
} from '../support/rules/sql-lint.ts';

const src = fileURLToPath(new URL('../../src', import.meta.url));

async function sources(): Promise<{ file: string; text: string }[]> {
  const names = await readdir(src, { recursive: true });
  const code = names.filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts'));
  return Promise.all(
    code.map(async (name) => ({
      file: relative(src, join(src, name)),
      text: await readFile(join(src, name), 'utf8'),
    })),
  );
}

const migrations = async (): Promise<{ name: string; text: string }[]> =>
  Promise.all(
    (await readdir(migrationsDir)).sort().map(async (name) => ({
      name,
      text: await readFile(join(migrationsDir, name), 'utf8'),
    })),
  );

/** The check of the books compares all merchants' rows, joined by merchant; parts of its statements are values. */
const readsEverything = /\b(verification|payments\/facts)\//;

describe('statements on a database distributed by merchant', () => {
  test('every statement of the sources', async () => {
    const tables = merchantTablesIn((await migrations()).map(({ text }) => text).join('\n'));
    expect(tables).toContain('collection_orders');
    const statements: SourceStatement[] = (await sources()).flatMap(({ file, text }) =>
      statementsIn(file, text),
    );
    expect(statements.length).toBeGreaterThan(100);
    const faults = statements
      .filter(({ file, text }) => !readsEverything.test(file) && !isAllowed(text))
      .flatMap(({ file, line, text }) =>
        rulesBrokenBy(text, tables).map((rule) => ({
          rule,
          at: `${file}:${line}`,
          statement: inOneLine(text),
        })),
      );
    expect(faults).toEqual([]);
    const needless = allowedStatements.filter(
      ({ of }) => !statements.some(({ text }) => of.test(inOneLine(text))),
    );
    expect(needless, 'exceptions that no statement needs any more').toEqual([]);
  });

  test('every migration', async () => {
    const faults = (await migrations()).flatMap(({ name, text }) =>
      rulesBrokenByMigration(text).map((rule) => ({ rule, name })),
    );
    expect(faults).toEqual([]);
  });

  test('no code reads the name of a constraint', async () => {
    const reading = (await sources()).filter(({ text }) => /\.constraint\b/.test(text));
    expect(reading.map(({ file }) => file)).toEqual([]);
  });
});

describe('the rules find violations', () => {
  const tables = ['orders', 'holds'];

  test.each([
    ['SELECT * FROM orders WHERE order_no = $1', 'merchant_id is named once for each of orders'],
    [
      'SELECT * FROM orders o JOIN holds h ON h.no = o.no WHERE o.merchant_id = $1',
      'merchant_id is named once for each of orders, holds',
    ],
    [
      'SELECT 1 FROM users WHERE (SELECT true FROM holds WHERE no = $1)',
      'merchant_id is named once for each of holds',
    ],
    ['DELETE FROM holds WHERE no IN ($1)', 'merchant_id is named once for each of holds'],
    ['UPDATE orders SET at = now() WHERE merchant_id = $1', 'times and chance come in as parameters'],
    [
      'UPDATE orders SET at = CURRENT_TIMESTAMP WHERE merchant_id = $1',
      'times and chance come in as parameters',
    ],
    ['SELECT 1 FROM orders WHERE merchant_id::text = $1', 'merchant_id is compared uncast'],
    ['SELECT 1 FROM orders WHERE merchant_id = $1::text::uuid', 'merchant_id is compared uncast'],
    [
      'SELECT 1 FROM orders o JOIN holds h USING (merchant_id, no) WHERE o.merchant_id = h.merchant_id FOR UPDATE',
      'locks are taken within one merchant',
    ],
    ['INSERT INTO orders (a) SELECT a FROM unnest($1) AS a', 'rows of orders come as VALUES'],
    [
      'WITH made AS (INSERT INTO orders (a) VALUES ($1) RETURNING 1) SELECT 1 FROM orders WHERE merchant_id = $2',
      'orders is not written and read in one statement',
    ],
    [
      'INSERT INTO orders (a) VALUES ($1) ON CONFLICT ON CONSTRAINT orders_key DO NOTHING',
      'constraints are never named',
    ],
    [
      'UPDATE holds SET balance = balance - $1 WHERE merchant_id = $2',
      'what a balance does not cover is not taken from it',
    ],
    ['SELECT pg_advisory_xact_lock($1)', 'nothing rests on advisory locks'],
    ['SELECT 1 FROM users WHERE user_id = $1 FOR SHARE OF users', 'rows are not locked in common'],
  ])('%s', (text, rule) => {
    expect(rulesBrokenBy(text, tables)).toContain(rule);
  });

  test.each([
    'SELECT * FROM orders WHERE merchant_id = $1 AND no = ANY($2::text[]) FOR UPDATE',
    'SELECT m.a FROM orders o JOIN holds h ON h.merchant_id = o.merchant_id AND h.no = o.no WHERE o.merchant_id = $1',
    'UPDATE holds SET balance = balance - $1::numeric WHERE merchant_id = $2::uuid AND balance >= $1::numeric',
    'INSERT INTO orders (a, b) VALUES ($1, lower($2)) ON CONFLICT DO NOTHING',
    'SELECT * FROM users WHERE email = $1',
  ])('and nothing else: %s', (text) => {
    expect(rulesBrokenBy(text, tables)).toEqual([]);
  });

  test.each([
    ['CREATE TABLE a (b uuid REFERENCES c (d));', 'there are no foreign keys'],
    ['CREATE TABLE a (b bigint GENERATED ALWAYS AS IDENTITY);', 'ids are made by the service'],
    ['CREATE TABLE a (b timestamptz DEFAULT now());', 'no default asks for the time or chance'],
    ['ALTER TABLE a ADD CONSTRAINT b UNIQUE (c) DEFERRABLE;', 'nothing is deferred'],
    ['ALTER TABLE a ADD COLUMN b text CHECK (b <> $1);', 'constraints of a new column are added apart'],
    [
      'CREATE FUNCTION f() RETURNS trigger AS $$ BEGIN PERFORM 1 FROM a; END $$;',
      'a trigger looks only at its row',
    ],
  ])('%s', (text, rule) => {
    expect(rulesBrokenByMigration(text)).toEqual([rule]);
  });

  test.each([
    ['a column made of its row', 'ALTER TABLE a ADD COLUMN b text GENERATED ALWAYS AS (lower(c)) STORED;'],
    [
      'a trigger that rests on the parts of a distributed table',
      "CREATE FUNCTION f() RETURNS trigger AS $$ BEGIN IF TG_TABLE_NAME ~ '_\\d+$' THEN RETURN NULL; END IF; PERFORM 1 FROM a; END $$;",
    ],
    ['a question kept in the database', 'CREATE FUNCTION f() RETURNS SETOF a AS $$ SELECT * FROM a $$;'],
  ])('and nothing else of a migration: %s', (_, text) => {
    expect(rulesBrokenByMigration(text)).toEqual([]);
  });
});
