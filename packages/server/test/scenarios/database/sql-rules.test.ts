import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, inject, onTestFinished, test } from 'vitest';
import { migrationsDir } from '../../../src/base/pg/index.ts';
import { allowedStatements } from '../../support/rules/allowed-statements.ts';
import { askDatabase, freshDatabase, type TestDatabase } from '../../support/servers/database.ts';
import { partitionedDatabase, partitions, personTables } from '../../support/servers/partitioned.ts';
import { planFaults } from '../../support/servers/plans.ts';
import { merchant_id } from '../../support/desks/samples.ts';

const sources = fileURLToPath(new URL('../../../src', import.meta.url));
let database: TestDatabase;

beforeAll(async () => {
  database = await partitionedDatabase();
});
afterAll(() => database.drop());

const problemsOf = async (text: string, ...values: unknown[]): Promise<string[]> =>
  (await planFaults(database.url, [{ text, values }])).flatMap(({ problems }) => problems);

test('a statement that names its merchant and a key touches one partition, by an index', async () => {
  const order = 'SELECT status FROM collection_orders WHERE merchant_id = $1 AND order_no = $2';
  expect(await problemsOf(`${order} FOR UPDATE`, merchant_id, 'mp_1')).toEqual([]);
  const both = `WITH one AS (UPDATE collection_orders SET test_mode = false WHERE merchant_id = $1::uuid
      AND order_no = $2 RETURNING 1), other AS (UPDATE ledger_balances SET balance = balance - 1
      WHERE merchant_id = $1::uuid AND account = 'm:available' AND ref = '' AND balance >= 1 RETURNING 1)
    SELECT 1`;
  expect(await problemsOf(both, merchant_id, 'mp_1')).toEqual([]);
});

test('a statement that names no merchant is reported, with its table and the number of partitions', async () => {
  expect(await problemsOf('SELECT 1 FROM collection_orders WHERE order_no = $1', 'mp_1')).toEqual([
    `touches ${partitions} partitions of collection_orders`,
  ]);
});

test('a statement that casts its merchant, so that the database cannot choose the partition, is reported', async () => {
  const problems = await problemsOf('SELECT 1 FROM payment_holds WHERE merchant_id::text = $1', merchant_id);
  expect(problems).toContain(`touches ${partitions} partitions of payment_holds`);
  expect(problems.some((problem) => /^reads a (table|whole index) of payment_holds$/.test(problem))).toBe(
    true,
  );
});

test('a join that omits the merchant of its second table is reported', async () => {
  const text = `SELECT 1 FROM collection_orders o JOIN payment_holds h ON h.order_no = o.order_no
    WHERE o.merchant_id = $1 AND o.order_no = $2`;
  expect(await problemsOf(text, merchant_id, 'mp_1')).toContain(
    `touches ${partitions} partitions of payment_holds`,
  );
});

test.each([
  ['SELECT available_ptk FROM user_wallets WHERE user_id = $1', 'user_wallets', false],
  ['SELECT sum(available_ptk) FROM user_wallets WHERE available_ptk > $1::numeric', 'user_wallets', true],
  [
    'UPDATE user_wallets SET available_ptk = available_ptk - $1::numeric WHERE available_ptk >= $1::numeric',
    'user_wallets',
    true,
  ],
  ['DELETE FROM user_wallet_lines WHERE merchant_id = $1', 'user_wallet_lines', true],
])('D-422 a statement names the person whose wallet it reads or writes: %s', async (text, table, isFault) => {
  const value = text.includes('numeric') ? '1' : merchant_id;
  const problem = `touches ${partitions} partitions of ${table}`;
  expect((await problemsOf(text, value)).includes(problem)).toBe(isFault);
});

test('D-422 every table that lies with a person is laid out by person', async () => {
  const rows = await askDatabase<{ table: string; by: string }>(
    database.url,
    `SELECT c.relname AS table, pg_get_partkeydef(c.oid) AS by FROM pg_class c
      WHERE NOT c.relispartition AND obj_description(c.oid, 'pg_class') = 'by user_id' ORDER BY 1 DESC`,
  );
  expect(rows).toEqual(personTables.map((table) => ({ table, by: 'HASH (user_id)' })));
});

test('D-622 every claim of a row that lies on every node has an order without ties', async () => {
  const rows = await askDatabase<{ table: string; keys: string[] }>(
    database.url,
    `SELECT c.relname AS table, (SELECT array_agg(a.attname::text) FROM pg_index i JOIN pg_attribute a
        ON a.attrelid = c.oid AND a.attnum = ANY (i.indkey) WHERE i.indrelid = c.oid AND i.indisprimary) AS keys
      FROM pg_class c WHERE c.relkind = 'r' AND obj_description(c.oid, 'pg_class') = 'on every node'`,
  );
  const keysOf = new Map(rows.map(({ table, keys }) => [table, keys]));
  const claims: string[] = [];
  for (const file of (await readdir(sources, { recursive: true })).filter((name) =>
    name.endsWith('.sql.ts'),
  )) {
    const text = await readFile(join(sources, file), 'utf8');
    const found = text.matchAll(
      /FROM (\$\{table\}|\w+)(?: \w)?\s+WHERE [^;`]*?ORDER BY ([^`]*?) LIMIT [^`]*?FOR UPDATE SKIP LOCKED/g,
    );
    for (const [, table = '', order = ''] of found) {
      // The claim of all queues of mails names its table and the key so.
      const keys = file.endsWith('mail-queue.sql.ts') ? ['${id}'] : keysOf.get(table);
      if (keys === undefined) continue;
      claims.push(table);
      expect(order.split(', '), `${file}: ${table}`).toEqual(expect.arrayContaining(keys));
    }
  }
  expect(claims.sort()).toEqual([
    ...['${table}', 'card_webhooks', 'merchant_invitations', 'statement_deliveries', 'statement_exports'],
  ]);
});

const isUsualRun = inject('templateDatabase').endsWith('_partitioned');
test.runIf(isUsualRun)(
  'D-1303 the scenarios that move money run on a database that sorts texts by a language',
  async () => {
    const one = await freshDatabase();
    onTestFinished(() => one.drop());
    expect(await askDatabase(one.url, "SELECT 'a' < 'B' AS sorted")).toEqual([{ sorted: true }]);
  },
);

test('D-1301 no statement gives PostgreSQL the name of a time zone', async () => {
  const files = (await readdir(sources, { recursive: true })).filter((name) => name.endsWith('.ts'));
  const texts = await Promise.all(files.map((file) => readFile(join(sources, file), 'utf8')));
  const named = /AT TIME ZONE (?!interval '0')|\bdate_trunc\([^,]+,[^,]+,|\btimezone\(/i;
  expect(files.filter((_, i) => named.test(texts[i] ?? ''))).toEqual([]);
});

test('a query inside a function of the schema is reported, although no plan shows it', async () => {
  const file = join(migrationsDir, '0017_narrow_search.sql');
  const [, asked = ''] = /RETURN QUERY ([^;]+);/.exec(await readFile(file, 'utf8')) ?? [];
  const parameters = [
    'of_merchant::uuid',
    'disabled_too::boolean',
    'needle::text',
    'needle_grams::integer[]',
  ];
  const text = [...parameters, 'behind::text'].reduce((statement, parameter, i) => {
    const [name = '', type = ''] = parameter.split('::');
    return statement.replaceAll(new RegExp(`\\b${name}\\b`, 'g'), `$${i + 1}::${type}`);
  }, asked);
  const search = [merchant_id, false, 'tea', [1, 2], null];
  expect(text).toContain('grams @> $4');
  expect(await problemsOf(text, ...search)).toEqual([]);
  expect(await problemsOf(text.replace('merchant_id =', 'merchant_id <>'), ...search)).toContain(
    `touches ${partitions} partitions of product_search`,
  );
});

test('every exception says why', () => {
  expect(allowedStatements.filter(({ why }) => why.length < 20)).toEqual([]);
});
