import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { checkSchema, migrate, type MigrateOptions, SchemaError } from '../../../src/base/pg/index.ts';
import { emptyDatabase, type TestDatabase } from '../../support/servers/database.ts';

let database: TestDatabase;
let dir: string;
let clients: pg.Client[] = [];
let said: string[] = [];

beforeEach(async () => {
  database = await emptyDatabase();
  dir = await mkdtemp(join(tmpdir(), 'migrations-'));
  said = [];
  await put('0040_things.sql', 'CREATE TABLE things (id integer PRIMARY KEY, name text, size integer);');
  await run();
});

afterEach(async () => {
  await Promise.all(clients.map((client) => client.end()));
  clients = [];
  await database.drop();
  await rm(dir, { recursive: true });
});

const put = (name: string, text: string): Promise<void> => writeFile(join(dir, name), text);

const run = (patience: MigrateOptions['patience'] = {}): Promise<number[]> =>
  migrate(database.url, { dir, patience, say: (line) => said.push(line) });

async function connect(): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: database.url });
  await client.connect();
  clients.push(client);
  return client;
}

/** A transaction that reads a table and does not end, as a slow report does. */
async function holdTable(): Promise<pg.Client> {
  const client = await connect();
  await client.query('BEGIN; SELECT 1 FROM things');
  return client;
}

async function ask<T extends pg.QueryResultRow>(statement: string): Promise<T[]> {
  return (await (await connect()).query<T>(statement)).rows;
}

const versions = async (): Promise<number[]> =>
  (await ask<{ version: number }>('SELECT version FROM schema_migrations ORDER BY 1')).map(
    ({ version }) => version,
  );

const indexes = () =>
  ask(`SELECT c.relname AS name, i.indisvalid AS valid FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid
    WHERE i.indrelid = 'things'::regclass AND NOT i.indisprimary`);

describe('a migration that finds its table in use', () => {
  beforeEach(() =>
    put('0041_wider.sql', 'CREATE TABLE more (); ALTER TABLE things ADD COLUMN weight integer;'),
  );

  test('gives up its lock after a short wait, lets others in, and tries again', async () => {
    const holder = await holdTable();
    let readers = 0;
    const applied = await run({
      lock_ms: 50,
      async pause() {
        // Behind a lock that waits, this would wait too.
        await ask('SELECT 1 FROM things');
        readers++;
        if (readers === 2) await holder.query('ROLLBACK');
      },
    });
    expect(applied).toEqual([41]);
    expect(said).toEqual([
      'Migration 0041_wider.sql did not get a lock within 0.05 s; try 2 of 30 in 0.5 s',
      'Migration 0041_wider.sql did not get a lock within 0.05 s; try 3 of 30 in 1 s',
    ]);
  });

  test('applies nothing more once the lock of the schema is lost, and can be run again', async () => {
    await put('0042_last.sql', 'CREATE TABLE last ();');
    const holder = await holdTable();
    const refused = run({
      lock_ms: 50,
      async pause() {
        await ask(`SELECT pg_terminate_backend(pid) FROM pg_locks JOIN pg_database d ON d.oid = database
          WHERE locktype = 'advisory' AND datname = current_database()`);
        await holder.query('ROLLBACK');
      },
    });
    await expect(refused).rejects.toThrow(
      /connection that holds the lock of the schema was lost: run .* again/,
    );
    expect(await versions()).toEqual([40, 41]);
    expect(await run()).toEqual([42]);
  });

  test('ends with a sentence after its last try, keeps nothing, and can be run again', async () => {
    const holder = await holdTable();
    const refused = run({ lock_ms: 20, tries: 3, pause: () => Promise.resolve() });
    await expect(refused).rejects.toThrow(SchemaError);
    await expect(refused).rejects.toThrow(
      /did not get a lock in 3 tries of 0\.02 s: .* run "npx paydesk migrate" again/,
    );
    expect(await ask(`SELECT to_regclass('more') IS NULL AS gone`)).toEqual([{ gone: true }]);
    await holder.query('ROLLBACK');
    expect(await run()).toEqual([41]);
  });
});

describe('a migration of single statements', () => {
  const index = 'CREATE UNIQUE INDEX CONCURRENTLY IF NOT EXISTS things_name ON things (name);';
  beforeEach(() => put('0041_index.sql', `-- mode: statements\n-- Why; for names.\n\n${index}\n`));

  test('builds an index beside the traffic, and leaves none that is incomplete', async () => {
    await ask(`INSERT INTO things VALUES (1, 'a'), (2, 'a')`);
    await expect(run()).rejects.toThrow(/could not create unique index/);
    expect(await indexes()).toEqual([]);
    await ask('DELETE FROM things WHERE id = 2');
    expect(await run()).toEqual([41]);
    expect(await indexes()).toEqual([{ name: 'things_name', valid: true }]);
  });

  test('builds an index again that an interrupted run has left', async () => {
    await ask(`INSERT INTO things VALUES (1, 'a'), (2, 'a')`);
    await expect(ask(index)).rejects.toThrow(/could not create unique index/);
    expect(await indexes()).toEqual([{ name: 'things_name', valid: false }]);
    await ask('DELETE FROM things WHERE id = 2');
    await run();
    expect(await indexes()).toEqual([{ name: 'things_name', valid: true }]);
    expect(said).toEqual(['the index things_name is incomplete: it is dropped and built again']);
  });

  test('of several processes, one builds it and the others wait without a lock of their session', async () => {
    const all = Array.from({ length: 3 }, () => run());
    const locks = ask<{ sessions: number }>(`SELECT count(*)::integer AS sessions FROM pg_locks l
      JOIN pg_stat_activity a USING (pid) WHERE locktype = 'advisory' AND a.xact_start IS NULL`);
    expect((await Promise.all(all)).flat()).toEqual([41]);
    expect(await locks).toEqual([{ sessions: 0 }]);
    expect(await indexes()).toEqual([{ name: 'things_name', valid: true }]);
  });

  test('validates a constraint that another file has added', async () => {
    await put('0042_add.sql', 'ALTER TABLE things ADD CONSTRAINT things_size CHECK (size > 0) NOT VALID;');
    await put(
      '0043_validate.sql',
      '-- mode: statements\nALTER TABLE things VALIDATE CONSTRAINT things_size;',
    );
    expect(await run()).toEqual([41, 42, 43]);
    expect(await ask(`SELECT convalidated FROM pg_constraint WHERE conname = 'things_size'`)).toEqual([
      { convalidated: true },
    ]);
  });
});

describe('a migration in batches', () => {
  const batch = `-- mode: batches
WITH batch AS (SELECT id FROM things WHERE id > ('0' || $1)::integer ORDER BY id LIMIT 10),
  changed AS (UPDATE things SET size = coalesce(size, 0) + 1 FROM batch WHERE things.id = batch.id)
SELECT max(id)::text AS last FROM batch;
`;
  const sizes = () => ask('SELECT size, count(*)::integer AS rows FROM things GROUP BY 1 ORDER BY 1');

  test('goes on after an interruption where it stood', async () => {
    await ask('INSERT INTO things SELECT generate_series(1, 35)');
    await put('0041_sizes.sql', batch);
    let batches = 0;
    const interrupted = run({
      pause: () => {
        batches++;
        return batches === 2 ? Promise.reject(new Error('the process ends')) : Promise.resolve();
      },
    });
    await expect(interrupted).rejects.toThrow('the process ends');
    expect(await sizes()).toEqual([
      { size: 1, rows: 20 },
      { size: null, rows: 15 },
    ]);
    await expect(checkSchema(database.url, { dir })).rejects.toThrow(/lacks 1 migration/);
    expect(await run({ pause: () => Promise.resolve() })).toEqual([41]);
    expect(await sizes()).toEqual([{ size: 1, rows: 35 }]);
    expect(await ask('SELECT version FROM schema_batches')).toEqual([]);
    expect(await versions()).toEqual([40, 41]);
  });
});
