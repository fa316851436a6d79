import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { checkSchema, checkVersion, migrate, openDatabase, SchemaError } from '../../../src/base/pg/index.ts';
import { runCommand } from '../../../src/cli/run-command.ts';
import {
  alterDatabase,
  askDatabase,
  emptyDatabase,
  freshDatabase,
  type TestDatabase,
} from '../../support/servers/database.ts';

let database: TestDatabase;
let dir: string;

beforeEach(async () => {
  database = await emptyDatabase();
  dir = await mkdtemp(join(tmpdir(), 'migrations-'));
  await put('0001_things.sql', 'CREATE TABLE things (id integer PRIMARY KEY);');
  await put('0002_more.sql', 'ALTER TABLE things ADD COLUMN name text;');
});

afterEach(async () => {
  await database.drop();
  await rm(dir, { recursive: true });
});

const put = (name: string, text: string): Promise<void> => writeFile(join(dir, name), text);

const ask = (statement: string): Promise<unknown[]> => askDatabase(database.url, statement);

const versions = () => ask('SELECT version, name FROM schema_migrations ORDER BY version');

describe('migrate', () => {
  test('missing migrations are applied in order, once', async () => {
    expect(await migrate(database.url, { dir })).toEqual([1, 2]);
    expect(await migrate(database.url, { dir })).toEqual([]);
    await put('0003_last.sql', 'ALTER TABLE things ADD COLUMN size integer;');
    await put('README.md', 'not a migration');
    expect(await migrate(database.url, { dir })).toEqual([3]);
    expect(await versions()).toEqual([
      { version: 1, name: '0001_things.sql' },
      { version: 2, name: '0002_more.sql' },
      { version: 3, name: '0003_last.sql' },
    ]);
    await ask('SELECT id, name, size FROM things');
  });

  test('D-661 each transaction sees what is committed before each of its statements, with every default', async () => {
    const seen = `current_setting('transaction_isolation') || '\\'`;
    await put('0003_seen.sql', `CREATE TABLE seen AS SELECT ${seen} AS how;`);
    await put(
      '0038_statements.sql',
      `-- mode: statements\n-- compatible_from: 0.1.0\nINSERT INTO seen SELECT ${seen};`,
    );
    for (const setting of [
      `default_transaction_isolation = 'repeatable read'`,
      'standard_conforming_strings = off',
    ])
      await alterDatabase(database.url, `SET ${setting}`);
    await migrate(database.url, { dir });
    expect(await ask('SELECT how FROM seen')).toEqual([1, 2].map(() => ({ how: 'read committed\\' })));
  });

  test('D-661 a database whose triggers do not fire is refused', async () => {
    await alterDatabase(database.url, 'SET session_replication_role = replica');
    await expect(migrate(database.url, { dir })).rejects.toThrow(
      /^session_replication_role is "replica".* no trigger fires/,
    );
    const fresh = await freshDatabase();
    await alterDatabase(fresh.url, 'SET session_replication_role = replica');
    await expect(checkSchema(fresh.url)).rejects.toThrow(SchemaError);
    const db = openDatabase({ url: fresh.url, max: 1 });
    await expect(checkVersion(db)).rejects.toThrow(SchemaError);
    await db.close();
    await fresh.drop();
  });

  test('H-24 a newer schema is refused with advice, unless it declares itself compatible', async () => {
    await put('0040_newer.sql', '-- compatible_from: 0.3.0\nCREATE TABLE newer ();');
    await migrate(database.url, { dir });
    await rm(join(dir, '0040_newer.sql'));
    const older = { dir, release: '0.2.9' };
    await expect(migrate(database.url, older)).rejects.toThrow(SchemaError);
    await expect(checkSchema(database.url, older)).rejects.toThrow(
      /version 40, which is newer than this Paydesk \(2\) and works with release 0\.3\.0 or newer, not with 0\.2\.9/,
    );
    const compatible = { dir, release: '0.3.0' };
    await checkSchema(database.url, compatible);
    const said: string[] = [];
    expect(await migrate(database.url, { ...compatible, say: (line) => said.push(line) })).toEqual([]);
    expect(said).toEqual([
      'the schema has 1 migration(s) of a newer release, which this release may serve on',
    ]);
    await put('0003_late.sql', 'CREATE TABLE late ();');
    await expect(migrate(database.url, compatible)).rejects.toThrow(
      /lacks 1 migration.* of the newer release/,
    );
  });

  test('a migration that landed after a newer one is still applied', async () => {
    await put('0005_early.sql', 'CREATE TABLE early ();');
    await migrate(database.url, { dir });
    await put('0004_late.sql', 'CREATE TABLE late ();');
    expect(await migrate(database.url, { dir })).toEqual([4]);
  });

  test('a database of an older build gets its compatible_from, and each migration writes its own', async () => {
    await ask(`CREATE TABLE schema_migrations (
      version integer PRIMARY KEY, name text NOT NULL, checksum text NOT NULL, applied_at timestamptz NOT NULL)`);
    await put('0040_newer.sql', '-- compatible_from: 0.2.0\nSELECT 1;');
    await migrate(database.url, { dir });
    expect(await ask('SELECT version, compatible_from FROM schema_migrations ORDER BY 1')).toEqual([
      { version: 1, compatible_from: '0.1.0' },
      { version: 2, compatible_from: '0.1.0' },
      { version: 40, compatible_from: '0.2.0' },
    ]);
  });

  test('refuses a migration that was changed after it was applied, and applies nothing then', async () => {
    await migrate(database.url, { dir });
    await put('0001_things.sql', 'CREATE TABLE things (id bigint PRIMARY KEY);');
    await put('0003_last.sql', 'CREATE TABLE last ();');
    await expect(migrate(database.url, { dir })).rejects.toThrow(/0001_things\.sql was changed/);
    await expect(checkSchema(database.url, { dir })).rejects.toThrow(SchemaError);
    expect(await versions()).toHaveLength(2);
  });

  test('leaves nothing of a migration that fails, and keeps those before it', async () => {
    await put('0002_more.sql', 'CREATE TABLE half (); SELECT 1 / 0;');
    await expect(migrate(database.url, { dir })).rejects.toThrow(/division by zero/);
    expect(await versions()).toEqual([{ version: 1, name: '0001_things.sql' }]);
    expect(await ask(`SELECT to_regclass('half') IS NULL AS gone`)).toEqual([{ gone: true }]);
    await put('0002_more.sql', 'CREATE TABLE half ();');
    expect(await migrate(database.url, { dir })).toEqual([2]);
  });

  test('of several concurrent processes, one applies each migration and the others wait', async () => {
    await put('0003_slow.sql', 'SELECT pg_sleep(0.3); CREATE TABLE slow ();');
    const applied = await Promise.all(Array.from({ length: 4 }, () => migrate(database.url, { dir })));
    expect(applied.flat().sort()).toEqual([1, 2, 3]);
    expect(applied.filter((list) => list.length > 0)).toHaveLength(1);
    expect(await versions()).toHaveLength(3);
  });
});

describe('checkSchema', () => {
  test('a schema with exactly the migrations of this build is accepted and not changed', async () => {
    await expect(checkSchema(database.url, { dir })).rejects.toThrow(
      /lacks 2 migration\(s\): run "npx paydesk migrate"/,
    );
    expect(await ask(`SELECT to_regclass('schema_migrations') IS NULL AS untouched`)).toEqual([
      { untouched: true },
    ]);
    await migrate(database.url, { dir });
    await checkSchema(database.url, { dir });
    await put('0003_last.sql', 'CREATE TABLE last ();');
    await expect(checkSchema(database.url, { dir })).rejects.toThrow(/lacks 1 migration/);
  });

  test('H-24 a running process is ready on a newer schema only if that declares itself compatible', async () => {
    const fresh = await freshDatabase();
    const db = openDatabase({ url: fresh.service_url, max: 1 });
    const client = new pg.Client({ connectionString: fresh.url });
    await client.connect();
    const declare = (compatible_from: string | null): Promise<unknown> =>
      client.query(
        `INSERT INTO schema_migrations VALUES (9999, '9999_x.sql', '', now(), $1)
          ON CONFLICT (version) DO UPDATE SET compatible_from = excluded.compatible_from`,
        [compatible_from],
      );
    await checkVersion(db);
    await declare('0.1.0');
    await checkVersion(db);
    await declare('999.0.0');
    await expect(checkVersion(db)).rejects.toThrow(/works with release 999\.0\.0 or newer/);
    await declare(null);
    await expect(checkVersion(db)).rejects.toThrow(/newer than this Paydesk/);
    await client.query('DELETE FROM schema_migrations WHERE version IN (9999, 20)');
    await expect(checkVersion(db)).rejects.toThrow(/lacks migration\(s\) 20, which this process needs/);
    await Promise.all([client.end(), db.close()]);
    await fresh.drop();
  });

  test('the packaged migrations fit the template of these tests', async () => {
    const fresh = await freshDatabase();
    await checkSchema(fresh.url);
    expect(await migrate(fresh.url)).toEqual([]);
    await fresh.drop();
  });
});

describe('the database guards the states once more', () => {
  const columns = `merchant_id, order_no, idempotency_key, external_reference, description, requested_payment_no,
    amount_minor, currency, currency_decimals, created_at, expires_in, expires_at, return_url, notify_mode, notify_url,
    token_key_id, status, status_version, price_e12, gross_settlement_ptk, hold_days, fee_status, fee_version,
    payment_no, test_mode, merchant_fee_ptk, event_id`;
  const statuses = ['pending', 'paid', 'review', 'expired', 'refunded', 'chargeback'];
  const allowed = [
    'pending expired',
    'pending review',
    'pending paid',
    'review paid',
    'review expired',
    'expired paid',
    'paid refunded',
    'paid chargeback',
  ];
  const eventOf = (status: string): string =>
    ['paid', 'refunded', 'chargeback'].includes(status) ? `'pe_1'` : 'NULL';

  test('section 3.1: no statement makes a forbidden move, skips a version or touches the invoice', async () => {
    const fresh = await freshDatabase();
    const client = new pg.Client({ connectionString: fresh.url });
    await client.connect();
    const order = async (status: string): Promise<void> => {
      await client.query('DELETE FROM collection_orders');
      await client.query(`INSERT INTO collection_orders (${columns}) VALUES (
        '0190c1a0-0000-7000-8000-000000000001', 'mp_1', 'k', 'r', '', '', 1000, 'USD', 2, '2026-01-02T03:00Z', 1800,
        '2026-01-02T03:30Z', '', 'unspecified', '', 'k1', '${status}', 5, 1, 10, 0, 'unselected', 1, '', false, 0,
        ${eventOf(status)})`);
    };
    const update = async (set: string): Promise<string> =>
      client.query(`UPDATE collection_orders SET ${set}`).then(
        () => 'done',
        (error: unknown) => (error as Error).message,
      );
    const passed: string[] = [];
    for (const from of statuses) {
      for (const to of statuses.filter((status) => status !== from)) {
        await order(from);
        const set = `status = '${to}', event_id = coalesce(event_id, ${eventOf(to)})`;
        expect(await update(`${set}, status_version = 7`)).toMatch(/forbidden transition/);
        const outcome = await update(`${set}, status_version = 6`);
        if (outcome === 'done') passed.push(`${from} ${to}`);
        else expect(outcome).toMatch(/forbidden transition/);
      }
      await order(from);
      expect(await update('status_version = 6')).toMatch(/only with the status/);
      for (const set of ['amount_minor = 1', `currency = 'EUR'`, `expires_at = expires_at + interval '1s'`]) {
        expect(await update(set)).toMatch(/invoice of an order never changes/);
      }
    }
    expect(passed.sort()).toEqual([...allowed].sort());
    await order('paid');
    expect(await update(`event_id = 'pe_2'`)).toMatch(/never changes/);
    await client.end();
    await fresh.drop();
  });
});

test('the statements of the guide to upgrades run', async () => {
  const guide = await readFile(new URL('../../../../../docs/operating/upgrades.md', import.meta.url), 'utf8');
  const statements = [...guide.matchAll(/^psql .*?-A?t?c (['"])([^]*?)\1$/gm)].map(([, , text = '']) => text);
  expect(statements).toHaveLength(guide.match(/^psql /gm)?.length ?? 0);
  expect(statements.length).toBeGreaterThan(2);
  await migrate(database.url, { dir });
  for (const statement of statements) await ask(statement);
});

test('paydesk migrate --dry-run lists what is missing and changes nothing', async () => {
  const said = vi.spyOn(console, 'log').mockImplementation(() => undefined);
  expect(await runCommand(['migrate', '--dry-run'], { DATABASE_URL: database.url })).toBe(0);
  const lines = said.mock.calls.map(([line]) => String(line));
  expect(lines).toContain(
    '0001_foundation.sql runs in one transaction; release 0.1.0 or newer may serve after it',
  );
  expect(lines).toContain(
    '0033_validated_clients.sql runs statement by statement; release 0.1.0 or newer may serve after it',
  );
  expect(lines.at(-1)).toBe(`${lines.length - 1} migration(s) are missing. Nothing was changed.`);
  expect(await ask(`SELECT to_regclass('schema_migrations') IS NULL AS untouched`)).toEqual([
    { untouched: true },
  ]);
});

test.each([
  ['verify-ledger', []],
  ['export-books', ['--out', '/dev/null']],
  ['create-admin', ['--email', 'ada@people.test']],
])('%s on a database that is not migrated says so in a sentence', async (command, args) => {
  const said = vi.spyOn(console, 'error').mockImplementation(() => undefined);
  expect(await runCommand([command, ...args], { DATABASE_URL: database.url })).toBe(1);
  expect(said.mock.calls).toEqual([
    [expect.stringMatching(/^The database lacks \d+ migration\(s\): run "npx paydesk migrate" first\.$/)],
  ]);
});
