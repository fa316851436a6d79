import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Database, openDatabase, sql, sqlState } from '../../../src/base/pg/index.ts';
import {
  alterDatabase,
  askDatabase,
  freshDatabase,
  type TestDatabase,
} from '../../support/servers/database.ts';

/**
 * A pooler in session mode, as PgBouncer is one: it announces a number of its own for the server process, and refuses
 * start parameters that it does not know. `npm run drill -- pgbouncer` uses a real one, in both modes.
 */

let database: TestDatabase;
let pooler: Server;
let db: Database;
/** What each connection was started with. */
const starts: string[] = [];

/** The message with the number of the server process, of 12 bytes. */
const backendKey = Buffer.from([0x4b, 0, 0, 0, 12]);

function openPooler(url: string): Server {
  const { hostname, port } = new URL(url);
  const path = `${decodeURIComponent(hostname)}/.s.PGSQL.${port}`;
  return createServer((near) => {
    const far = connect(path);
    near.once('data', (bytes) => starts.push(bytes.toString()));
    near.pipe(far);
    far.on('data', (bytes) => {
      const at = bytes.indexOf(backendKey);
      if (at >= 0) bytes.writeInt32BE(1, at + backendKey.length);
      near.write(bytes);
    });
    for (const [one, other] of [
      [near, far],
      [far, near],
    ] as const) {
      one.on('error', () => undefined);
      one.on('close', () => other.destroy());
    }
  });
}

beforeAll(async () => {
  database = await freshDatabase();
  pooler = openPooler(database.url).listen(0, '127.0.0.1');
  await once(pooler, 'listening');
  const url = database.url.replace(/@[^/]*/, `@127.0.0.1:${(pooler.address() as AddressInfo).port}`);
  db = openDatabase({ url, max: 3, statement_timeout_ms: 1_600, lookup_timeout_ms: 1_500 });
  await db.query(sql`CREATE TABLE limits_seen (seen text)`);
});

afterAll(async () => {
  await db.close();
  pooler.close();
  await database.drop();
});

const limits = sql`SELECT concat_ws(' ', current_setting('statement_timeout'), current_setting('lock_timeout'),
  current_setting('idle_in_transaction_session_timeout')) AS seen`;

describe('H-25 behind a pooler, which drops the limits of a session,', () => {
  test('they hold in each transaction, statement and look-up', async () => {
    expect(await db.query(limits)).toEqual([{ seen: '1600ms 100ms 1min' }]);
    expect(await db.transaction((tx) => tx.query(limits))).toEqual([{ seen: '1600ms 100ms 1min' }]);
    const unlimited = await db.transaction((tx) => tx.query(limits), { unlimited: true });
    expect(unlimited).toEqual([{ seen: '0 100ms 1min' }]);
    // The first question prepares the statement alone; the others leave as one message.
    for (let turn = 0; turn < 3; turn++) {
      const answers = await Promise.all([db.lookups.query(limits), db.lookups.query(limits)]);
      expect(answers).toEqual([[{ seen: '1500ms 100ms 1min' }], [{ seen: '1500ms 100ms 1min' }]]);
    }
    const insert = { statement: sql`INSERT INTO limits_seen ${limits}`, rows: 'all' as const };
    expect([await db.finish([insert]), await db.finish([insert])]).toEqual([true, true]);
    expect(await db.query(sql`SELECT DISTINCT seen FROM limits_seen`)).toEqual([{ seen: '1600ms 1ms 1min' }]);
  });

  test('D-661 transactions set their isolation level, and times and backslashes are read correctly', async () => {
    const asked = sql`SELECT current_setting('transaction_isolation') AS isolation, '\\' AS backslash, now() AS at`;
    const settings = [
      `default_transaction_isolation = 'repeatable read'`,
      `DateStyle = 'SQL, DMY'`,
      'standard_conforming_strings = off',
    ];
    for (const setting of settings) await alterDatabase(database.url, `SET ${setting}`);
    const url = database.url.replace(/@[^/]*/, `@127.0.0.1:${(pooler.address() as AddressInfo).port}`);
    const there = openDatabase({ url, max: 1 });
    try {
      const said = [{ isolation: 'read committed', backslash: '\\', at: expect.any(Date) as Date }];
      expect(await there.query(asked)).toEqual(said);
      expect(await there.transaction((tx) => tx.query(asked))).toEqual(said);
    } finally {
      await there.close();
      for (const setting of settings)
        await alterDatabase(database.url, `RESET ${setting.split(' ')[0] ?? ''}`);
    }
  });

  test('a statement that takes too long is ended, and the connections go on', async () => {
    const nap = sql`SELECT pg_sleep(60)`;
    for (const ask of [() => db.query(nap), () => db.lookups.query(nap)]) {
      const error = await ask().catch((cause: unknown) => cause);
      expect(sqlState((error as Error).cause)).toBe('57014');
    }
    await expect(db.query(sql`SELECT 1 / 0`)).rejects.toMatchObject({ code: '22012' });
    const answers = await Promise.all([db.query(limits), db.lookups.query(limits), db.lookups.query(limits)]);
    expect(answers.flat()).toHaveLength(3);
  });

  test('no limit is part of the start, which a pooler would refuse', () => {
    expect(starts.length).toBeGreaterThan(2);
    expect(starts.filter((start) => start.includes('timeout'))).toEqual([]);
  });

  test('a process that polls behind shared sessions listens once they are its own', async () => {
    // Every session says that it is the same one, as where a pooler shares them.
    const settings = (words: string) => askDatabase(database.url, words);
    await settings('CREATE SCHEMA shared');
    await settings('CREATE FUNCTION shared.pg_backend_pid() RETURNS int LANGUAGE sql RETURN 2');
    const { pathname } = new URL(database.url);
    const path = `ALTER DATABASE "${pathname.slice(1)}"`;
    await settings(`${path} SET search_path = shared, public, pg_catalog`);
    const url = database.url.replace(/@[^/]*/, `@127.0.0.1:${(pooler.address() as AddressInfo).port}`);
    const polling = openDatabase({ url, max: 3, listen_retry_ms: 50 });
    const heard: string[] = [];
    await polling.listen('a_channel', (payload) => heard.push(payload));
    expect(await polling.checkListeners()).toMatch(/^it polls/);
    await settings(`${path} RESET search_path`);
    await settings('DROP FUNCTION shared.pg_backend_pid()');
    await expect.poll(() => polling.checkListeners()).toBe('it listens');
    await db.query(sql`SELECT pg_notify('a_channel', 'two')`);
    await expect.poll(() => heard).toContain('two');
    await polling.close();
  });

  test('the process listens where its session is its own', async () => {
    const heard: string[] = [];
    await db.listen('a_channel', (payload) => heard.push(payload));
    expect(await db.checkListeners()).toBe('it listens');
    await db.query(sql`SELECT pg_notify('a_channel', 'one')`);
    await expect.poll(() => heard).toContain('one');
  });
});
