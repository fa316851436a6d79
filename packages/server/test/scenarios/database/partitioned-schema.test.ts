import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { migrate, migrationsDir } from '../../../src/base/pg/index.ts';
import { emptyDatabase, type TestDatabase } from '../../support/servers/database.ts';
import { partitionedByMerchant, partitionedDatabase, partitions } from '../../support/servers/partitioned.ts';

/** Tables that name a merchant but belong to another owner, each with its reason. */
const exempt = new Map([
  [
    'user_wallet_lines',
    'a line lies with the wallet of its person; merchant_id only says in whose book the rest is',
  ],
  [
    'scope_applications',
    'an application lies with its client; merchant_id only says whose it is, and administrators list them across all',
  ],
  ['buyer_mails', 'a queue that workers of all merchants share; merchant_id leads to the order'],
  ['statement_exports', 'a plan that workers of all merchants share: a few rows of each merchant'],
  ['statement_deliveries', 'a queue that workers of all merchants share'],
  ['merchant_invitations', 'an invitation is found by the token of its link, which names no merchant'],
]);

let database: TestDatabase;
let client: pg.Client;

beforeAll(async () => {
  database = await partitionedDatabase();
  client = new pg.Client({ connectionString: database.url });
  await client.connect();
});

afterAll(async () => {
  await client.end();
  await database.drop();
});

async function names(statement: string): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(statement);
  return rows.map(({ name }) => name);
}

const partitioned = () =>
  names(`SELECT relname AS name FROM pg_class
    WHERE pg_get_partkeydef(oid) = 'HASH (merchant_id)' AND relnamespace = 'public'::regnamespace ORDER BY 1`);

test('every marked table is laid out by merchant, and no mark was overlooked', async () => {
  const files = await readdir(migrationsDir);
  const texts = await Promise.all(files.map((name) => readFile(join(migrationsDir, name), 'utf8')));
  const marks = texts.join('\n').match(/^\) \/\* by merchant_id \*\/;$/gm) ?? [];
  const tables = await partitioned();
  expect(tables).toContain('collection_orders');
  expect(tables).toHaveLength(marks.length);
  const children = await names(`SELECT inhrelid::regclass::text AS name FROM pg_inherits
    JOIN pg_class parent ON parent.oid = inhparent WHERE pg_get_partkeydef(parent.oid) = 'HASH (merchant_id)'`);
  expect(children).toHaveLength(partitions * marks.length);
});

test('every table whose rows all name a merchant is marked, except the listed ones', async () => {
  const merchantTables = await names(`SELECT c.relname AS name FROM pg_class c
    JOIN pg_attribute a ON a.attrelid = c.oid AND a.attname = 'merchant_id' AND a.attnotnull
    WHERE c.relkind IN ('r', 'p') AND NOT c.relispartition AND c.relnamespace = 'public'::regnamespace ORDER BY 1`);
  expect(merchantTables.filter((name) => !exempt.has(name))).toEqual(await partitioned());
  for (const name of exempt.keys()) expect(merchantTables).toContain(name);
});

test('the primary key and every unique key of such a table contain merchant_id, the primary key first', async () => {
  const { rows } = await client.query<{
    table: string;
    key: string;
    first: string;
    primary: boolean;
    with: boolean;
  }>(
    `SELECT c.relname AS table, k.relname AS key, i.indisprimary AS primary, first.attname AS first,
      EXISTS (SELECT 1 FROM pg_attribute a WHERE a.attrelid = c.oid AND a.attname = 'merchant_id'
        AND a.attnum = ANY (i.indkey)) AS with
      FROM pg_index i JOIN pg_class c ON c.oid = i.indrelid JOIN pg_class k ON k.oid = i.indexrelid
      LEFT JOIN pg_attribute first ON first.attrelid = c.oid AND first.attnum = i.indkey[0]
      WHERE pg_get_partkeydef(c.oid) = 'HASH (merchant_id)' AND i.indisunique ORDER BY 1, 2`,
  );
  expect(rows.filter((row) => !row.with || row.first !== 'merchant_id')).toEqual([]);
  const withPrimary = rows.filter(({ primary }) => primary).map(({ table }) => table);
  expect(withPrimary).toEqual(await partitioned());
});

/** The tables by the comment that marks them. */
async function marked(): Promise<Record<string, string[]>> {
  const { rows } = await client.query<{ mark: string; tables: string[] }>(
    `SELECT coalesce(obj_description(oid, 'pg_class'), 'none') AS mark, array_agg(relname::text ORDER BY relname) AS tables
      FROM pg_class WHERE relkind IN ('r', 'p') AND NOT relispartition AND relnamespace = 'public'::regnamespace
      GROUP BY 1`,
  );
  return Object.fromEntries(rows.map(({ mark, tables }) => [mark, tables]));
}

test('D-300 every table carries the mark that says where a distributed database keeps it', async () => {
  const tables = await marked();
  expect(Object.keys(tables).sort()).toEqual(['by merchant_id', 'by user_id', 'on every node']);
  expect(tables['by merchant_id']).toEqual(await partitioned());
  expect(tables['by user_id']).toEqual(['user_wallet_lines', 'user_wallets']);
});

test('D-300 every unique key of a table that lies with its person contains user_id', async () => {
  const lacking = await names(`SELECT k.relname AS name FROM pg_index i JOIN pg_class c ON c.oid = i.indrelid
    JOIN pg_class k ON k.oid = i.indexrelid
    WHERE obj_description(c.oid, 'pg_class') = 'by user_id' AND i.indisunique AND NOT EXISTS (
      SELECT FROM pg_attribute a WHERE a.attrelid = c.oid AND a.attname = 'user_id' AND a.attnum = ANY (i.indkey))`);
  expect(lacking).toEqual([]);
});

/**
 * The indexes of the tables that every order and payment writes, and what needs each. Those without a condition, and those whose
 * condition a payment in PTK meets, are what a payment costs: a new one needs a statement that nothing else serves.
 */
const paymentIndexes: Readonly<Record<string, string>> = {
  collection_orders_pkey: 'an order of a merchant',
  collection_orders_idempotency: 'R-100: a key makes one order',
  collection_orders_by_event: 'an event is one order’s; search by event, reconciliation of a merchant',
  collection_orders_foreign_trade: 'a payment at a provider is one order’s; search by trade number',
  collection_orders_by_reference: 'search by reference, orders of a payment link',
  collection_orders_by_no: 'administrators, who know only the number; their list',
  collection_orders_by_creation: 'the merchant’s list, figures by creation',
  collection_orders_by_payment: 'figures by payment',
  collection_orders_due: 'the sweep, while pending',
  collection_orders_rare: 'lists of few states',
  collection_orders_rare_by_no: 'lists of few states, of all merchants',
  collection_orders_tests: 'lists of tests',
  collection_orders_tests_by_no: 'lists of tests, of all merchants',
  collection_orders_top_ups: 'limits of top-ups',
  collection_orders_late_changes: 'sums to compute again',
  collection_orders_legacy_event: 'the import, for all merchants',
  collection_orders_legacy_reference: 'search by reference, imported orders',
  payment_attempts_pkey: 'an attempt',
  payment_attempts_seq: 'the attempts of an order',
  payment_attempts_counting: 'one attempt of an order counts',
  payment_attempts_by_payer: 'what a person has paid',
  payment_attempts_by_trade: 'webhooks and reconciliation, which know only the trade number',
  payment_attempts_due: 'the worker, while something is to be asked',
  payment_attempts_late_changes: 'attempts that changed after they had ended, for the sums of progress',
  payment_quotes_pkey: 'the methods of an order',
  payment_quotes_by_xact: 'sealing',
  payment_holds_pkey: 'the hold of an order',
  payment_holds_due: 'the release, while held',
  ledger_transfers_pkey: 'a posting once; the entries of an order',
  ledger_transfers_by_time: 'the statement of a merchant’s wallet',
  ledger_transfers_rare_debits: 'the statement of rare accounts',
  ledger_transfers_rare_credits: 'the statement of rare accounts',
  ledger_transfers_tests: 'what is held of tests',
  ledger_transfers_by_xact: 'sealing',
  notifications_pkey: 'an event; the list of events',
  notifications_once: 'one event for each version of an order',
  notifications_due_at: 'delivery, while pending',
  notifications_due_by_destination: 'delivery, while pending',
  notifications_failed: 'events that were given up',
  notifications_by_xact: 'sealing',
  user_wallet_lines_pkey: 'a posting once',
  user_wallet_lines_by_time: 'the statement of a person',
};

test('D-481 the tables that each payment writes have these indexes and no others', async () => {
  const found = await names(`SELECT k.relname AS name FROM pg_index i JOIN pg_class c ON c.oid = i.indrelid
    JOIN pg_class k ON k.oid = i.indexrelid
    WHERE c.relname IN ('collection_orders', 'payment_attempts', 'payment_quotes', 'payment_holds', 'ledger_transfers',
      'notifications', 'user_wallet_lines') ORDER BY 1`);
  expect(found).toEqual(Object.keys(paymentIndexes).sort());
});

test('D-480 a payment in PTK is in no index of trade numbers, and indexes by time have nothing but the time', async () => {
  const narrow = [
    'collection_orders_foreign_trade',
    'collection_orders_by_creation',
    'ledger_transfers_by_time',
  ];
  const found = await names(`SELECT pg_get_indexdef(oid) AS name FROM pg_class
    WHERE relname IN (${narrow.map((name) => `'${name}'`).join(', ')}) ORDER BY relname`);
  expect(found.map((text) => text.replace(/^.*USING btree /, ''))).toEqual([
    '(merchant_id, created_at)',
    "(merchant_id, provider_trade_no, payment_no) WHERE (provider_trade_no <> ('PTK:'::text || order_no))",
    expect.stringMatching(/^\(merchant_id, at\) WHERE /),
  ]);
});

test('merchant_id is of one type everywhere', async () => {
  const types = await names(`SELECT DISTINCT data_type AS name FROM information_schema.columns
    WHERE table_schema = 'public' AND column_name = 'merchant_id'`);
  expect(types).toEqual(['uuid']);
});

test('a key that lacks merchant_id is refused, so that this test can fail', async () => {
  const empty = await emptyDatabase();
  const lacking = (text: string): string =>
    partitionedByMerchant(text.replace('UNIQUE (merchant_id, idempotency_key)', 'UNIQUE (idempotency_key)'));
  await expect(migrate(empty.url, { transform: lacking })).rejects.toThrow(/unique constraint/);
  await empty.drop();
});
