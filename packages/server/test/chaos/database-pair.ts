import { execFile, type ChildProcess } from 'node:child_process';
import { mkdir, open, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';
import pg from 'pg';
import { isAlive, spawnBound } from '../../src/embedded/processes.ts';
import { asUser, serverUser, type SystemUser } from '../../src/embedded/run-as.ts';
import { freePort } from '../support/servers/ports.ts';
import { debianPostgresBin } from '../support/run/tools.ts';

const run = promisify(execFile);

/** One PostgreSQL server of the pair. */
export interface Node {
  name: 'a' | 'b';
  port: number;
  /** The directory, which may be a file system of its own. */
  home: string;
  data: string;
  child: ChildProcess | null;
}

/**
 * A primary and a synchronous standby. A transaction is acknowledged only when both have it, so a failover loses none.
 * After a failover the old primary's directory is made again from the new one.
 */
export interface DatabasePair {
  nodes: readonly [Node, Node];
  primary(): Node;
  standby(): Node;
  /** Waits until the standby follows synchronously. */
  untilSynchronous(): Promise<void>;
  /** Makes the standby the primary. The old primary must be dead or cut off. */
  promote(): Promise<void>;
  /** Makes the standby again from the primary and starts it. */
  rebuildStandby(): Promise<void>;
  /** Kills all processes of a server, as a machine that loses its power. */
  kill(node: Node): Promise<void>;
  /** Starts a server again that ended. */
  revive(node: Node): Promise<void>;
  /** Sends a signal to the processes of a server whose command line contains these words. */
  signal(node: Node, words: string, signal: 'SIGSTOP' | 'SIGCONT'): Promise<void>;
  stop(): Promise<void>;
}

const settings = {
  listen_addresses: '127.0.0.1',
  unix_socket_directories: '',
  max_connections: '200',
  shared_buffers: '64MB',
  max_wal_size: '128MB',
  wal_level: 'replica',
  hot_standby: 'on',
  max_wal_senders: '8',
  wal_keep_size: '64MB',
  // A process that is killed loses nothing that the operating system has.
  fsync: 'off',
  synchronous_commit: 'on',
  timezone: 'UTC',
  wal_receiver_timeout: '10s',
  wal_sender_timeout: '60s',
  wal_retrieve_retry_interval: '200ms',
};

const standbyName = 'standby';
const database = 'paydesk';

export const urlOf = (port: number): string => `postgresql://${database}@127.0.0.1:${port}/${database}`;

/** The address of the pair: a process finds the primary by itself. */
export const urlOfBoth = (ports: readonly number[]): string =>
  `postgresql://${database}@${ports.map((port) => `127.0.0.1:${port}`).join(',')}/${database}?target_session_attrs=read-write`;

export async function openDatabasePair(homes: readonly [string, string]): Promise<DatabasePair> {
  const bin = debianPostgresBin();
  const a = await nodeIn('a', homes[0]);
  const b = await nodeIn('b', homes[1]);
  let [primary, standby] = [a, b];
  const user = serverUser(a.home);
  const program = (name: string): string => join(bin, name);

  const start = async (node: Node): Promise<void> => {
    const args = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
    const log = await open(join(node.home, 'postgres.log'), 'a', 0o666);
    node.child = spawnBound(program('postgres'), ['-D', node.data, '-p', String(node.port), ...args], {
      user,
      cwd: node.home,
      stdio: ['ignore', log.fd, log.fd],
      signal: 'SIGKILL',
    });
    await log.close();
    const { child } = node;
    await until(async () => {
      if (child.exitCode !== null) throw new Error(`PostgreSQL ${node.name} did not start: see ${node.home}`);
      return (await askMaybe(node, 'SELECT 1')) !== null;
    }, 60_000);
  };
  const pair: DatabasePair = {
    nodes: [a, b],
    primary: () => primary,
    standby: () => standby,
    untilSynchronous: () =>
      until(async () => {
        const rows = await askMaybe(primary, `SELECT sync_state FROM pg_stat_replication`);
        return rows?.some(({ sync_state }) => sync_state === 'sync') === true;
      }, 60_000),
    async promote() {
      await ask(standby, `SELECT pg_promote(true, 30)`);
      [primary, standby] = [standby, primary];
    },
    async rebuildStandby() {
      await pair.kill(standby);
      await rm(standby.data, { recursive: true, force: true });
      const from = `host=127.0.0.1 port=${primary.port} user=${database} application_name=${standbyName}`;
      const args = ['-D', standby.data, '-d', from, '-X', 'stream', '-c', 'fast', '--no-sync'];
      await run(program('pg_basebackup'), args, { ...asUser(user), cwd: standby.home });
      await writeAs(user, join(standby.data, 'standby.signal'), '');
      // The primary's own settings are not for a standby: after its promotion it has no standby at first.
      await writeAs(user, join(standby.data, 'postgresql.auto.conf'), `primary_conninfo = '${from}'\n`);
      await start(standby);
      await ask(primary, `ALTER SYSTEM SET synchronous_standby_names = '${standbyName}'`);
      await ask(primary, `SELECT pg_reload_conf()`);
      await pair.untilSynchronous();
    },
    async kill(node) {
      const { child } = node;
      node.child = null;
      if (child?.pid !== undefined) await killServer(child.pid);
    },
    async revive(node) {
      if (node.child !== null && node.child.exitCode === null && node.child.signalCode === null) return;
      await start(node);
    },
    async signal(node, words, signal) {
      const pid = node.child?.pid;
      if (pid === undefined) return;
      const all = [{ pid, command: 'postmaster' }, ...(await childrenOf(pid))];
      for (const one of all) if (one.command.includes(words)) killMaybe(one.pid, signal);
    },
    async stop() {
      for (const node of [standby, primary]) await pair.kill(node);
    },
  };

  const identity = [
    '--username',
    database,
    '--encoding=UTF8',
    '--locale=C.UTF-8',
    '--auth=trust',
    '--no-sync',
  ];
  await run(program('initdb'), ['-D', a.data, ...identity], { ...asUser(user), cwd: a.home });
  await writeAs(user, join(a.data, 'pg_hba.conf'), rules);
  await start(a);
  await ask(a, `CREATE DATABASE ${database}`, 'postgres');
  await pair.rebuildStandby();
  return pair;

  async function nodeIn(name: Node['name'], home: string): Promise<Node> {
    const owner = serverUser(home);
    await mkdir(home, { recursive: true });
    if (owner !== null) await run('chown', [`${owner.uid}:${owner.gid}`, home]);
    return { name, home, data: join(home, 'data'), port: await freePort(), child: null };
  }
}

/** Every user of this machine, because the address is loopback and the data belong to the test. */
const rules = `host all all 127.0.0.1/32 trust\nhost replication all 127.0.0.1/32 trust\n`;

/** Kills a server with all its processes: no session outlives it. */
export async function killServer(postmaster: number): Promise<void> {
  const pids = [postmaster, ...(await childrenOf(postmaster)).map(({ pid }) => pid)];
  for (const pid of pids) killMaybe(pid, 'SIGKILL');
  await until(() => Promise.resolve(pids.every((pid) => !isAlive(pid))), 20_000);
}

async function writeAs(user: SystemUser | null, path: string, text: string): Promise<void> {
  await writeFile(path, text);
  if (user !== null) await run('chown', [`${user.uid}:${user.gid}`, path]);
}

async function ask(node: Node, text: string, name = database): Promise<pg.QueryResultRow[]> {
  const connectionString = urlOf(node.port).replace(/\w+$/, name);
  const client = new pg.Client({ connectionString, connectionTimeoutMillis: 5_000, query_timeout: 35_000 });
  client.on('error', () => undefined);
  await client.connect();
  try {
    return (await client.query<pg.QueryResultRow>(text)).rows;
  } finally {
    await client.end();
  }
}

const askMaybe = (node: Node, text: string): Promise<pg.QueryResultRow[] | null> =>
  ask(node, text, 'postgres').catch(() => null);

export async function until(is: () => Promise<boolean>, most_ms: number): Promise<void> {
  const began = performance.now();
  while (!(await is())) {
    if (performance.now() - began > most_ms) throw new Error(`waited ${most_ms} ms in vain`);
    await pause(50);
  }
}

function killMaybe(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch {
    // It has ended.
  }
}

/** The child processes of a server, with their command lines; only Linux tells. */
async function childrenOf(parent: number): Promise<{ pid: number; command: string }[]> {
  const found: { pid: number; command: string }[] = [];
  for (const name of await readdir('/proc')) {
    if (!/^\d+$/.test(name)) continue;
    const stat = await readFile(`/proc/${name}/stat`, 'utf8').catch(() => '');
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    if (Number(fields[1]) !== parent) continue;
    const command = await readFile(`/proc/${name}/cmdline`, 'utf8').catch(() => '');
    found.push({ pid: Number(name), command });
  }
  return found;
}
