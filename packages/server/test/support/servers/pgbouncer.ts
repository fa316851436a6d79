import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { spawnBound } from '../../../src/embedded/processes.ts';
import { serverUser } from '../../../src/embedded/run-as.ts';
import { freePort } from './ports.ts';
import { temporaryDirectory } from '../run/temporary.ts';

export interface PgBouncerOptions {
  /** The program. */
  program: string;
  /** The database, without a password: PgBouncer and PostgreSQL trust this machine. */
  url: string;
  mode: 'session' | 'transaction';
  /** Connections to the server, at most. */
  pool_size?: number;
  port?: number;
}

/** A PgBouncer in front of one database. */
export interface PgBouncer {
  port: number;
  /** The database through it. */
  url: string;
  /** Ends it at once, and with it every connection. */
  kill(): Promise<void>;
  /** Starts it again on the same port. */
  start(): Promise<void>;
  stop(): Promise<void>;
}

/** The version as numbers, such as [1, 18]. */
export function versionOf(program: string): [number, number] {
  const said = execFileSync(program, ['--version'], { encoding: 'utf8' });
  const [, major, minor] = /PgBouncer (\d+)\.(\d+)/.exec(said) ?? [];
  return [Number(major), Number(minor)];
}

/** Whether a version keeps prepared statements in transaction mode. */
export const keepsPrepared = ([major, minor]: readonly [number, number]): boolean => major > 1 || minor >= 21;

/** Starts PgBouncer with the settings of docs/operating/pgbouncer.md. It ends with this process. */
export async function startPgBouncer(options: PgBouncerOptions): Promise<PgBouncer> {
  const { program, url, mode, pool_size = 40 } = options;
  const port = options.port ?? (await freePort());
  const home = await temporaryDirectory('pgbouncer');
  const user = serverUser(home.path);
  const target = new URL(url);
  const settings = [
    '[databases]',
    `* = host=${decodeURIComponent(target.hostname)} port=${target.port || '5432'}`,
    '[pgbouncer]',
    'listen_addr = 127.0.0.1',
    `listen_port = ${port}`,
    'unix_socket_dir =',
    'auth_type = trust',
    `auth_file = ${join(home.path, 'users.txt')}`,
    `pool_mode = ${mode}`,
    ...(keepsPrepared(versionOf(program)) ? ['max_prepared_statements = 500'] : []),
    `default_pool_size = ${pool_size}`,
    'max_client_conn = 300',
    'server_login_retry = 1',
    'query_wait_timeout = 10',
  ];
  await writeFile(join(home.path, 'pgbouncer.ini'), `${settings.join('\n')}\n`);
  await writeFile(join(home.path, 'users.txt'), `"${decodeURIComponent(target.username)}" ""\n`);
  if (user !== null) execFileSync('chown', ['-R', `${user.uid}:${user.gid}`, home.path]);
  let child: ReturnType<typeof spawnBound> | null = null;
  const through = url.replace(/@[^/]*/, `@127.0.0.1:${port}`);
  const kill = async (): Promise<void> => {
    const ending = child;
    child = null;
    if (ending === null || ending.exitCode !== null || ending.signalCode !== null) return;
    const exited = once(ending, 'exit');
    ending.kill('SIGKILL');
    await exited;
  };
  const start = async (): Promise<void> => {
    child = spawnBound(program, ['-q', join(home.path, 'pgbouncer.ini')], {
      user,
      cwd: home.path,
      stdio: ['ignore', 'ignore', 'ignore'],
      signal: 'SIGKILL',
    });
    for (let looks = 0; !(await answers(through)); looks++) {
      if (child.exitCode !== null || looks > 200) throw new Error('PgBouncer does not answer');
      await pause(25);
    }
  };
  await start();
  return {
    ...{ port, url: through, kill, start },
    async stop() {
      await kill();
      await home.remove();
    },
  };
}

async function answers(connectionString: string): Promise<boolean> {
  const client = new pg.Client({ connectionString, connectionTimeoutMillis: 2_000, query_timeout: 2_000 });
  client.on('error', () => undefined);
  try {
    await client.connect();
    await client.query('SELECT 1');
    return true;
  } catch {
    return false;
  } finally {
    await client.end().catch(() => undefined);
  }
}
