import { once } from 'node:events';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { DriverClient } from '../../../src/base/pg/driver/client.ts';
import { openDriver, withConnection } from '../../../src/base/pg/driver/open-driver.ts';
import { openPool } from '../../../src/base/pg/driver/pool.ts';
import { openDatabase, sql } from '../../../src/base/pg/index.ts';
import {
  alterDatabase,
  freshDatabase,
  oddDatabase,
  type TestDatabase,
} from '../../support/servers/database.ts';

let database: TestDatabase;

beforeAll(async () => {
  database = await freshDatabase();
});

afterAll(() => database.drop());

const message = (type: string, body: Buffer): Buffer => {
  const length = Buffer.alloc(4);
  length.writeInt32BE(body.length + 4);
  return Buffer.concat([Buffer.from(type), length, body]);
};
const welcome = message('R', Buffer.alloc(4));
const idle = message('Z', Buffer.from('I'));
const shutdown = message('E', Buffer.from('SFATAL\0VFATAL\0C57P01\0Mterminating connection\0\0'));

/** A server that says these bytes to each connection, at once, and hangs up if it should. */
async function serverThatSays(bytes: Buffer, hangUp: boolean): Promise<{ server: Server; url: string }> {
  const server = createServer((socket: Socket) => {
    socket.on('error', () => undefined);
    socket.once('data', () => {
      if (hangUp) socket.end(bytes);
      else socket.write(bytes);
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return { server, url: `postgres://x@127.0.0.1:${(server.address() as AddressInfo).port}/x` };
}

describe('H-25 a connection that ends', () => {
  test('in the moment in which it begins fails its caller, and not the process', async () => {
    const uncaught: unknown[] = [];
    const note = (error: unknown): unknown => uncaught.push(error);
    process.on('uncaughtException', note);
    const { server, url } = await serverThatSays(Buffer.concat([welcome, idle, shutdown]), true);
    const db = openDatabase({ url, max: 2, connect_ms: 1_000, statement_timeout_ms: 500 });
    for (const ask of [
      () => db.query(sql`SELECT 1`),
      () => db.lookups.query(sql`SELECT 1`),
      () => db.transaction((tx) => tx.query(sql`SELECT 1`)),
      () => db.finish([{ statement: sql`SELECT 1`, rows: 'all' }]),
    ]) {
      await expect(ask()).rejects.toMatchObject({ code: 'service_unavailable' });
    }
    await expect(db.listen('x', () => undefined)).rejects.toThrow();
    await db.close();
    server.close();
    process.off('uncaughtException', note);
    expect(uncaught).toEqual([]);
  });

  test('inside a transaction is not given out again', async () => {
    const driver = openDriver(database.url);
    const pool = openPool(driver, { settings: {}, max: 1, connect_ms: 60_000, onLost: () => undefined });
    const pidOf = async (client: DriverClient): Promise<unknown> =>
      (await client.query<{ pid: number }>('SELECT pg_backend_pid() AS pid')).rows[0]?.pid;
    const first = pool.borrow();
    const { client } = await first.connection;
    const pid = await pidOf(client);
    first.release();
    const second = pool.borrow();
    expect(await pidOf((await second.connection).client)).toBe(pid);
    await (await second.connection).client.query('BEGIN');
    second.release();
    const third = pool.borrow();
    expect(await pidOf((await third.connection).client)).not.toBe(pid);
    third.release();
    await pool.end();
  });

  test('because nothing answers ends within its limit', async () => {
    const { server, url } = await serverThatSays(Buffer.concat([welcome, idle]), false);
    const client = new DriverClient(openDriver(url), { query_timeout: 100 });
    await client.connect();
    const ended = new Promise<void>((resolve) => client.once('end', resolve));
    await expect(client.query('SELECT 1')).rejects.toThrow(/timeout/);
    await ended;
    server.close();
  });
});

test('D-661 a connection sets what it needs, for all defaults of the database', async () => {
  const odd = await oddDatabase();
  const db = openDatabase({ url: odd.url, max: 2 });
  const asked = sql`SELECT current_setting('transaction_isolation') AS isolation, '\\' AS backslash,
    '2026-02-01T03:04:05Z'::timestamptz AS at, '\\x0001ff'::bytea AS bytes`;
  const said = {
    ...{ isolation: 'read committed', backslash: '\\' },
    ...{ at: new Date('2026-02-01T03:04:05Z'), bytes: Buffer.from([0, 1, 255]) },
  };
  try {
    expect(await db.query(asked)).toEqual([said]);
    expect(await db.transaction((tx) => tx.query(asked))).toEqual([said]);
    expect(await db.transaction((tx) => tx.query(asked), { unlimited: true })).toEqual([said]);
    expect(await db.lookups.query(asked)).toEqual([said]);
  } finally {
    await db.close();
    await odd.drop();
  }
});

test('D-1467 D-1365 no limit of idle sessions, whole transactions or, at the start, statements ends what the service needs', async () => {
  const limited = await freshDatabase();
  await alterDatabase(limited.url, "SET idle_session_timeout = '20s'");
  await alterDatabase(limited.url, "SET statement_timeout = '1s'");
  const db = openDatabase({ url: limited.url, max: 2 });
  const asked = sql`SELECT current_setting('idle_session_timeout') AS idle,
    coalesce(current_setting('transaction_timeout', true), '0') AS whole`;
  const said = { idle: '0', whole: '0' };
  try {
    expect(await db.query(asked)).toEqual([said]);
    expect(await db.lookups.query(asked)).toEqual([said]);
    // The look at the schema, and migrations.
    const shown = await withConnection(limited.url, (client) => client.query('SHOW statement_timeout'));
    expect(shown.rows).toEqual([{ statement_timeout: '0' }]);
  } finally {
    await db.close();
    await limited.drop();
  }
});

/** What we use of the driver beyond its documented interface. If a new version changes it, this is where to look. */
test('the driver has what the batches and limits build on', async () => {
  expect(pg.Query.prototype).toHaveProperty('handleReadyForQuery');
  expect(Object.keys((pg as unknown as { utils: object }).utils)).toContain('prepareValue');
  const client = new DriverClient(openDriver(database.url), {});
  await client.connect();
  const wire = client.connection as unknown as Record<string, unknown>;
  for (const name of ['bind', 'execute', 'sync', 'parse', 'close'])
    expect([name, typeof wire[name]]).toEqual([name, 'function']);
  expect(wire.stream).toBe(client.socket);
  expect(client.getTransactionStatus()).toBe('I');
  await client.query('BEGIN');
  expect(client.getTransactionStatus()).toBe('T');
  await client.end();
});

test('D-024 each new connection is told, because its server may have another clock', async () => {
  let told = 0;
  const onConnected = (): void => {
    told++;
  };
  const db = openDatabase({ url: database.url, max: 2, onConnected });
  expect(told).toBe(0);
  const { sent_ms, received_ms, database: at } = await db.askTime();
  expect(told).toBe(1);
  expect(received_ms).toBeGreaterThanOrEqual(sent_ms);
  expect(Math.abs(at.getTime() - Date.now())).toBeLessThan(60_000);
  await db.lookups.query(sql`SELECT 1`);
  await db.listen('x', () => undefined);
  expect(told).toBe(3);
  await db.query(sql`SELECT 1`);
  expect(told).toBe(3);
  await db.close();
});
