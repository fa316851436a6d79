import { spawn } from 'node:child_process';
import { mkdir, readFile, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import pg from 'pg';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { prepareBinaries } from '../../src/embedded/binaries.ts';
import { type Embedded, type EmbeddedOptions, openEmbedded } from '../../src/embedded/open-embedded.ts';
import { isAlive, startOf } from '../../src/embedded/processes.ts';
import { asUser, serverUser } from '../../src/embedded/run-as.ts';
import { askDatabase } from '../support/servers/database.ts';
import { dataDir, hold, serverPid, startHolder, untilGone } from './helpers.ts';

const purpose = 'paydesk start';

/** Without fsync where a test does not ask: a process that is killed leaves its writes to the system. */
async function open(options: Omit<EmbeddedOptions, 'purpose'>): Promise<Embedded> {
  const embedded = await openEmbedded({ durable: false, ...options, purpose });
  onTestFinished(() => embedded.stop());
  return embedded;
}

const insert = 'CREATE TABLE kept (n int); INSERT INTO kept VALUES (1), (2), (3)';
const count = 'SELECT count(*)::int AS n FROM kept';

test('stored data remains after a stop and a start', async () => {
  const data_dir = await dataDir();
  const first = await open({ data_dir });
  const pid = await serverPid(data_dir);
  await askDatabase(first.url, insert);
  await first.stop();
  await first.stop();
  expect(isAlive(pid)).toBe(false);
  const again = await open({ data_dir });
  expect(await askDatabase(again.url, count)).toEqual([{ n: 3 }]);
});

describe.each([{ by_watchdog: false }, { by_watchdog: true }])('with %o', ({ by_watchdog }) => {
  test('the server ends with a killed parent, and the next start finds every commit', async () => {
    const data_dir = await dataDir();
    const held = await hold('open', { data_dir, purpose, by_watchdog });
    const pid = await serverPid(data_dir);
    await askDatabase(held.url, insert);
    await held.process.kill('SIGKILL');
    await untilGone(pid);
    const again = await open({ data_dir });
    expect(await askDatabase(again.url, count)).toEqual([{ n: 3 }]);
  });

  test('a start right after a kill waits for the old server to go', async () => {
    const data_dir = await dataDir();
    const held = await hold('open', { data_dir, purpose, by_watchdog });
    await askDatabase(held.url, insert);
    await held.process.kill('SIGKILL');
    const again = await open({ data_dir });
    expect(await askDatabase(again.url, count)).toEqual([{ n: 3 }]);
  });

  test('a parent that ends in order takes the server along', async () => {
    const data_dir = await dataDir();
    const held = await hold('open', { data_dir, purpose, by_watchdog });
    const pid = await serverPid(data_dir);
    expect(await held.end()).toBe(0);
    expect(isAlive(pid)).toBe(false);
    expect(await readdir(data_dir)).not.toContain('paydesk.lock');
  });
});

test('killing all processes together loses no commit', async () => {
  const data_dir = await dataDir();
  const held = await hold('open', { data_dir, purpose, durable: true });
  const pid = await serverPid(data_dir);
  await askDatabase(held.url, insert);
  process.kill(pid, 'SIGKILL');
  await held.process.kill('SIGKILL');
  const again = await open({ data_dir });
  expect(await askDatabase(again.url, count)).toEqual([{ n: 3 }]);
});

test('a kill at any moment of the first start leaves a directory that the next start can use', async () => {
  const data_dir = await dataDir();
  await mkdir(join(data_dir, 'postgres.new-cut', 'base'), { recursive: true });
  await writeFile(join(data_dir, 'postgres.new-cut', 'PG_VERSION'), '');
  for (const look of [1, 10, 40]) {
    const started = startHolder('open', { data_dir, purpose });
    // Not by time: after so many looks at a directory that fills while initdb works.
    for (let looks = 0; looks < look;) {
      const names = await readdir(data_dir);
      if (names.some((name) => name.startsWith('postgres.new-') && name !== 'postgres.new-cut')) looks++;
      if (names.includes('postgres')) break;
    }
    await started.kill('SIGKILL');
  }
  const again = await open({ data_dir });
  expect(await askDatabase(again.url, 'SELECT 1 AS n')).toEqual([{ n: 1 }]);
  expect((await readdir(data_dir)).filter((name) => name.startsWith('postgres.new-'))).toEqual([]);
});

describe('a second Paydesk on the same directory', () => {
  const sentence = /in use by "paydesk start" \((process \d+|this process)\).*PAYDESK_DATA_DIR/;

  test('is refused in one sentence while the first lives, and does not disturb it', async () => {
    const data_dir = await dataDir();
    const held = await hold('open', { data_dir, purpose });
    await expect(openEmbedded({ data_dir, purpose: 'another' })).rejects.toThrow(sentence);
    expect(await askDatabase(held.url, 'SELECT 1 AS n')).toEqual([{ n: 1 }]);
  });

  test('is refused within one process as well', async () => {
    const data_dir = await dataDir();
    await open({ data_dir });
    await expect(openEmbedded({ data_dir, purpose: 'another' })).rejects.toThrow(sentence);
  });

  test('is let in where only the lock of a dead one is left, though another process has its id', async () => {
    const data_dir = await dataDir();
    await mkdir(data_dir);
    const impostor = { pid: process.pid, started: 'at another time', purpose: 'gone' };
    expect(startOf(process.pid)).not.toBe(impostor.started);
    await writeFile(join(data_dir, 'paydesk.lock'), JSON.stringify(impostor));
    await open({ data_dir });
  });

  test('of several simultaneous starts, one succeeds', async () => {
    const data_dir = await dataDir();
    const dead = { pid: 2 ** 22 + 1, started: 'once', purpose: 'gone' };
    await mkdir(data_dir);
    await writeFile(join(data_dir, 'paydesk.lock'), JSON.stringify(dead));
    const results = await Promise.allSettled([1, 2, 3, 4].map(() => openEmbedded({ data_dir, purpose })));
    const winners = results.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []));
    await Promise.all(winners.map((winner) => winner.stop()));
    expect(winners).toHaveLength(1);
  });
});

describe('remains of an earlier process', () => {
  test('a server whose parent has died is stopped, and its data kept', async () => {
    const data_dir = await dataDir();
    const first = await open({ data_dir });
    await askDatabase(first.url, insert);
    await first.stop();
    const pid = await startAlone(data_dir);
    const again = await open({ data_dir });
    expect(isAlive(pid)).toBe(false);
    expect(await askDatabase(again.url, count)).toEqual([{ n: 3 }]);
  });

  test('a lock file that names a process of another program does not block the start', async () => {
    const data_dir = await dataDir();
    await (await open({ data_dir })).stop();
    const other = spawn('sleep', ['60'], { ...asUser(serverUser(join(data_dir, 'postgres'))), cwd: '/' });
    onTestFinished(() => void other.kill('SIGKILL'));
    const file = [other.pid, join(data_dir, 'postgres'), 1, 5432, '/tmp', '', 0, 'ready'].join('\n');
    await writeFile(join(data_dir, 'postgres', 'postmaster.pid'), file);
    await open({ data_dir });
    expect(isAlive(other.pid ?? 0)).toBe(true);
  });

  test('a query that runs on after its server was killed is waited for: two would write the same files', async () => {
    const data_dir = await dataDir();
    const held = await hold('open', { data_dir, purpose });
    const client = new pg.Client({ connectionString: held.url });
    client.on('error', () => undefined);
    await client.connect();
    const asked = await client.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
    const busy = asked.rows[0]?.pid ?? 0;
    client.query('SELECT count(*) FROM generate_series(1, 1000000000000)').catch(() => undefined);
    process.kill(await serverPid(data_dir), 'SIGKILL');
    await held.process.kill('SIGKILL');
    const starting = open({ data_dir });
    await vi.waitUntil(
      async () =>
        (await readFile(join(data_dir, 'postgres-start.log'), 'utf8')).includes('pre-existing shared memory'),
      { timeout: 60_000, interval: 20 },
    );
    expect(isAlive(busy)).toBe(true);
    process.kill(busy, 'SIGKILL');
    expect(await askDatabase((await starting).url, 'SELECT 1 AS n')).toEqual([{ n: 1 }]);
  });

  /** A server on this directory without a watchdog, as a careless launcher would start it. */
  async function startAlone(data_dir: string): Promise<number> {
    const database = join(data_dir, 'postgres');
    const user = serverUser(database);
    const { bin } = await prepareBinaries(data_dir, user);
    const args = ['-D', database, '-c', 'listen_addresses=', '-c', 'unix_socket_directories='];
    const alone = spawn(join(bin, 'postgres'), args, {
      ...asUser(user),
      cwd: database,
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    onTestFinished(() => void alone.kill('SIGKILL'));
    for await (const text of alone.stderr.setEncoding('utf8')) {
      if ((text as string).includes('ready to accept connections')) break;
    }
    return alone.pid ?? 0;
  }
});

test('a server that ends by itself is reported', async () => {
  const data_dir = await dataDir();
  const embedded = await open({ data_dir });
  process.kill(await serverPid(data_dir), 'SIGKILL');
  await embedded.lost;
  await embedded.stop();
});
