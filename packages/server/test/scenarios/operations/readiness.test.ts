import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openDatabase, sql } from '../../../src/base/pg/index.ts';
import { type FaultyLink, openFaultyLink } from '../../support/servers/faulty-link.ts';
import {
  type Answer,
  eventually,
  request,
  startTestService,
  type TestService,
} from '../../support/desks/service.ts';

/** `/readyz` tests what requests use (docs/operating/readiness.md). */

let service: TestService;
let link: FaultyLink;

beforeAll(async () => {
  service = await startTestService({
    // So that a listener's own checks do not open its connection again.
    database_limits: { heartbeat_ms: 60_000 },
    timings: { stop_ms: 500 },
    routeTo: async (url) => {
      link = await openFaultyLink(url);
      return link.url;
    },
  });
});

afterAll(async () => {
  link.restore();
  await service.stop();
  await link.close();
});

const ready = (query = ''): Promise<Answer> => service.send('GET', `/readyz${query}`);
/** The lines of the report, each without what follows the colon. */
const report = async (): Promise<string[]> =>
  (await ready('?verbose=1')).text.split('\n').map((line) => line.replace(/:.*/, ''));

const parts = [
  'pool',
  'look-up lanes',
  'listener',
  'loops',
  'schema',
  'secret keys',
  'clock',
  'limiter',
  'traffic hold',
];

/** Ends the connections for look-ups, as a pooler may. Each was asked last by `/readyz`, or for the configuration's version. */
const endLookupConnections = () =>
  service.db.query(sql`SELECT pg_terminate_backend(pid) FROM pg_stat_activity
    WHERE datname = current_database() AND pid <> pg_backend_pid()
      AND (query = 'SELECT 1' OR query LIKE '%FROM config_version%')`);

test('H-24 behind a full pooler a process without connections for look-ups is not ready', async () => {
  // Opens connections of the pool.
  await Promise.all(Array.from({ length: 6 }, () => service.admin('GET', '/overview?time_zone=UTC')));
  await ready();
  link.refuse();
  await endLookupConnections();
  // Until the pool has noticed which of its connections ended, too.
  const answer = await eventually(
    () => ready('?verbose=1'),
    ({ text }) => text.includes('[+]pool ok'),
  );
  expect(answer.status).toBe(503);
  expect(answer.headers.get('retry-after')).toBe('1');
  expect(answer.text).toContain('[+]pool ok');
  expect(answer.text).toContain('[-]look-up lanes failed');
  expect((await ready()).body).toEqual({
    error: 'service_unavailable',
    error_description: 'Not ready: look-up lanes.',
  });
  link.restore();
  // Another connection for look-ups may be found ended only now.
  const { body } = await eventually(ready, ({ status }) => status === 200);
  expect(body).toEqual({ status: 'ready' });
});

test('H-24 ?verbose=1 lists each check as text', async () => {
  const answer = await ready('?verbose=1');
  expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'text/plain; charset=utf-8']);
  expect(await report()).toEqual([...parts.map((part) => `[+]${part} ok`), 'readyz check passed', '']);
  expect((await ready('?verbose')).text).toContain('readyz check passed');
  expect((await ready('?verbose=0')).body).toEqual({ status: 'ready' });
});

test('H-24 a process that hears nothing of the others is not ready, until it listens again', async () => {
  const db = openDatabase({ url: service.database.url, max: 1 });
  // Nothing else runs on this connection.
  const other = await service.another('web');
  const [listener] = await db.query<{ pid: number }>(sql`SELECT pid FROM pg_stat_activity
    WHERE datname = current_database() AND query LIKE 'LISTEN %'`);
  const reportOfOther = async (): Promise<string> =>
    (await request(`${other.url}/readyz?verbose`, 'GET')).text;
  expect(await reportOfOther()).toContain('[+]listener ok');
  link.refuse();
  await db.query(sql`SELECT pg_terminate_backend(${listener?.pid ?? 0}::int)`);
  expect(await reportOfOther()).toMatch(/^\[\+\]pool ok[^]*\[-\]listener failed/);
  link.restore();
  // An attempt to connect that began before may still fail.
  const again = await eventually(reportOfOther, (text) => text.includes('[+]listener ok'));
  expect(again).toContain('[+]listener ok');
  await other.stop();
  await db.close();
});

test('H-24 the first call of a process whose database is silent is answered within two seconds', async () => {
  const other = await service.another();
  link.silence('from the database');
  const answer = await request(`${other.url}/readyz?verbose=1`, 'GET');
  expect(answer.status).toBe(503);
  for (const part of parts.filter((part) => !['loops', 'clock', 'limiter', 'traffic hold'].includes(part))) {
    expect(answer.text).toContain(`[-]${part} failed: no answer within 1200 ms`);
  }
  link.restore();
  await other.stop();
});

test('D-643 a process whose database takes no writes is not ready', async () => {
  const db = openDatabase({ url: service.database.url, max: 1 });
  // Of new connections only: this one goes on to write.
  await db.query(sql`DO $$ BEGIN
    EXECUTE format('ALTER DATABASE %I SET default_transaction_read_only = on', current_database()); END $$`);
  const other = await service.another('web');
  const answer = await request(`${other.url}/readyz?verbose=1`, 'GET');
  await db.query(sql`DO $$ BEGIN
    EXECUTE format('ALTER DATABASE %I RESET default_transaction_read_only', current_database()); END $$`);
  expect(answer.status).toBe(503);
  expect(answer.text).toContain('[-]pool failed: the database takes no writes');
  await other.stop();
  await db.close();
});

test('D-1230 H-24 a process that stops does not wait until the sink of its audit trail is given up', async () => {
  const sockets: Socket[] = [];
  let gaveUp = false;
  const silent = createServer((socket) => {
    sockets.push(
      socket
        .resume()
        .on('error', () => undefined)
        .on('close', () => (gaveUp = true)),
    );
  });
  await once(silent.listen(0, '127.0.0.1'), 'listening');
  const { port } = silent.address() as AddressInfo;
  // Seals are made when a worker starts, and then every 20 seconds.
  await service.admin('PUT', '/currencies/EUR', { decimals: 2, enabled: true });
  const other = await service.another('worker', { PAYDESK_AUDIT_SINK: `http://127.0.0.1:${port}/lines` });
  await expect.poll(() => sockets.length).toBeGreaterThan(0);
  await other.stop();
  // A connection that the process has ended is seen here a moment later.
  await service.admin('GET', '/test-clock');
  expect(gaveUp).toBe(false);
  for (const socket of sockets) socket.destroy();
  silent.close();
});
