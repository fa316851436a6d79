/** Starts and stops the server process of the embedded PostgreSQL. */
import type { ChildProcess } from 'node:child_process';
import { open, readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { Transport } from './access.ts';
import { program } from './binaries.ts';
import { EmbeddedError } from './embedded-error.ts';
import type { DatabaseSetup } from './initialise.ts';
import type { Layout } from './layout.ts';
import { clearPostmasterPid, isServerOf, type Postmaster, readPostmaster } from './postmaster-file.ts';
import { isAlive, spawnBound } from './processes.ts';

/** How often the state of a starting or stopping server is checked. */
const poll_ms = 20;

/** How long to wait for an old server to stop. */
const stop_timeout_ms = 30_000;

/** How clients reach the server. */
export interface Address {
  transport: Transport;
  /** The directory of the socket; empty for loopback. */
  socket_dir: string;
  /** The loopback port. For a socket, a part of its name. */
  port: number;
}

/** A server that this process started. */
export interface Server {
  pid: number;
  /** Resolves when the server has ended for any reason. */
  exited: Promise<void>;
  stop(): Promise<void>;
}

/**
 * The settings, passed on the command line so that no file overrides them. The log contains no statements and no error
 * details, because these contain data that people entered.
 */
function settingsOf({ layout, durable }: DatabaseSetup, address: Address): Record<string, string> {
  const bySocket = address.transport === 'socket';
  const unsafe = { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off' };
  return {
    listen_addresses: bySocket ? '' : '127.0.0.1',
    port: String(address.port),
    unix_socket_directories: bySocket ? address.socket_dir : '',
    unix_socket_permissions: '0700',
    hba_file: layout.hba,
    ident_file: layout.ident,
    timezone: 'UTC',
    logging_collector: 'on',
    log_destination: 'stderr',
    log_directory: layout.logs,
    // One file per day of the week. It is overwritten a week later.
    log_filename: 'postgres-%a.log',
    log_rotation_age: '1d',
    log_rotation_size: '0',
    log_truncate_on_rotation: 'on',
    log_timezone: 'UTC',
    log_line_prefix: '%m [%p] %a ',
    log_min_messages: 'error',
    log_min_error_statement: 'panic',
    log_error_verbosity: 'terse',
    ...(durable ? { fsync: 'on', full_page_writes: 'on' } : unsafe),
  };
}

/** Error messages of a server whose directory is still in use by a server that is stopping. */
const directoryInUse = /lock file "[^"]*" already exists|pre-existing shared memory block|could not bind/;

/**
 * Starts the server and waits until it accepts connections. Recovery may take any time. If an old server is still
 * stopping, tries again until it has ended.
 *
 * @param extra more settings, by name
 * @throws EmbeddedError with the server's last messages if it does not start
 */
export async function startServer(
  setup: DatabaseSetup,
  address: Address,
  extra: Readonly<Record<string, string>>,
  by_watchdog: boolean,
): Promise<Server> {
  const deadline = performance.now() + stop_timeout_ms;
  for (;;) {
    const server = await startOnce(setup, address, extra, by_watchdog);
    if (server !== null) return server;
    const output = await readStartOutput(setup.layout);
    if (!directoryInUse.test(output) || performance.now() > deadline) {
      throw new EmbeddedError(
        `PostgreSQL did not start: ${lastLines(output)} (logs in ${setup.layout.logs})`,
      );
    }
    await delay(200);
  }
}

const lastLines = (text: string): string => text.trim().split('\n').slice(-5).join(' / ');

/** Reads the output of the last start attempt, before and after the server opened its log. */
async function readStartOutput({ start_log, logs }: Layout): Promise<string> {
  const before = await readFile(start_log, 'utf8');
  if (!before.includes('redirecting log output')) return before;
  const names = await readdir(logs);
  const files = await Promise.all(
    names.map(async (name) => ({ name, changed_ms: (await stat(join(logs, name))).mtimeMs })),
  );
  const newest = files.sort((a, b) => b.changed_ms - a.changed_ms)[0];
  if (newest === undefined) return before;
  const after = await readFile(join(logs, newest.name), 'utf8');
  return after.slice(after.lastIndexOf('starting PostgreSQL'));
}

/** Tries once to start the server; null if it ended. */
async function startOnce(
  setup: DatabaseSetup,
  address: Address,
  extra: Readonly<Record<string, string>>,
  by_watchdog: boolean,
): Promise<Server | null> {
  const { layout, binaries, user } = setup;
  const settings = Object.entries({ ...settingsOf(setup, address), ...extra });
  const args = ['-D', layout.database, ...settings.flatMap(([name, value]) => ['-c', `${name}=${value}`])];
  const log = await open(layout.start_log, 'w', 0o600);
  let child: ChildProcess;
  try {
    child = spawnBound(program(binaries.bin, 'postgres'), args, {
      user,
      cwd: layout.database,
      stdio: ['ignore', log.fd, log.fd],
      signal: 'SIGINT',
      by_watchdog,
    });
  } finally {
    await log.close();
  }
  let gone = false;
  const exited = new Promise<void>((resolve) => {
    const end = (): void => {
      gone = true;
      resolve();
    };
    child.once('exit', end).once('error', end);
  });
  for (;;) {
    await Promise.race([exited, delay(poll_ms)]);
    // The events above set it; the compiler cannot see that.
    if (gone as boolean) return null;
    const postmaster = await readPostmaster(layout.database);
    const isOurs = postmaster?.pid === child.pid || by_watchdog || process.platform !== 'linux';
    if (postmaster?.status === 'ready' && isOurs && isServerOf(layout.database, postmaster)) {
      return serverOf(child, postmaster, exited);
    }
  }
}

function serverOf(child: ChildProcess, { pid }: Postmaster, exited: Promise<void>): Server {
  // The server must not keep this process running. It ends with this process.
  child.unref();
  return {
    pid,
    exited,
    async stop() {
      child.ref();
      await stopProcess(pid);
      await exited;
    },
  };
}

/**
 * Cleans up after an earlier process: stops a server that still runs, or repairs the file of a dead server. The caller
 * must hold the lock.
 *
 * @throws EmbeddedError if the server does not stop
 */
export async function stopLeftover(database_dir: string): Promise<void> {
  const left = await readPostmaster(database_dir);
  if (left === null) return;
  if (!isServerOf(database_dir, left)) {
    await clearPostmasterPid(database_dir);
    return;
  }
  await stopProcess(left.pid);
}

/**
 * Stops a server: it disconnects its clients and writes all data. If that takes too long, it is told to quit at once.
 * No data is lost, because the next start recovers.
 */
async function stopProcess(pid: number): Promise<void> {
  for (const signal of ['SIGINT', 'SIGQUIT'] as const) {
    try {
      process.kill(pid, signal);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ESRCH') return;
      throw new EmbeddedError(`The PostgreSQL server with process id ${pid} belongs to another user.`, {
        cause: error,
      });
    }
    const deadline = performance.now() + stop_timeout_ms;
    while (performance.now() < deadline) {
      if (!isAlive(pid)) return;
      await delay(poll_ms);
    }
  }
  throw new EmbeddedError(`The PostgreSQL server with process id ${pid} does not stop: stop it manually.`);
}
