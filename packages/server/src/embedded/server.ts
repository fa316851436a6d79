import type { ChildProcess } from 'node:child_process';
import { open, readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { Transport } from './access.ts';
import { program } from './binaries.ts';
import { EmbeddedError } from './embedded-error.ts';
import type { Making } from './initialise.ts';
import type { Layout } from './layout.ts';
import { disownPostmaster, isServerOf, type Postmaster, readPostmaster } from './postmaster-file.ts';
import { isAlive, spawnBound } from './processes.ts';

/** How often the state of a starting or stopping server is looked at. */
const look_ms = 20;

/** How long an old server may take to shut down before the start gives up. */
const patience_ms = 30_000;

/** How a server is to be reached. */
export interface Address {
  transport: Transport;
  /** The directory of the socket, for that transport. */
  socket_dir: string;
  /** The port of the loopback address; for a socket, part of its name. */
  port: number;
}

/** A server that this process started. */
export interface Server {
  pid: number;
  /** Ends when the server ends, however. */
  exited: Promise<void>;
  stop(): Promise<void>;
}

/**
 * Settings on the command line, which no file overrides. Statements and details of errors stay out of the log:
 * they hold what people entered.
 */
function settingsOf({ layout, durable }: Making, address: Address): Record<string, string> {
  const bySocket = address.transport === 'socket';
  const careless = { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off' };
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
    // A file for each day of the week, begun anew a week later.
    log_filename: 'postgres-%a.log',
    log_rotation_age: '1d',
    log_rotation_size: '0',
    log_truncate_on_rotation: 'on',
    log_timezone: 'UTC',
    log_line_prefix: '%m [%p] %a ',
    log_min_messages: 'error',
    log_min_error_statement: 'panic',
    log_error_verbosity: 'terse',
    ...(durable ? { fsync: 'on', full_page_writes: 'on' } : careless),
  };
}

/** Complaints of a server that finds the directory still taken by one that is going. */
const stillTaken = /lock file "[^"]*" already exists|pre-existing shared memory block|could not bind/;

/**
 * Starts the server and waits until it takes connections, however long it has to recover. Where an old server is
 * still going, tries again until it is gone.
 *
 * @param extra further settings, by name
 * @throws EmbeddedError with the server's own last words where it does not start
 */
export async function startServer(
  making: Making,
  address: Address,
  extra: Readonly<Record<string, string>>,
  by_watchdog: boolean,
): Promise<Server> {
  const deadline = performance.now() + patience_ms;
  for (;;) {
    const server = await startOnce(making, address, extra, by_watchdog);
    if (server !== null) return server;
    const words = await lastWords(making.layout);
    if (!stillTaken.test(words) || performance.now() > deadline) {
      throw new EmbeddedError(
        `PostgreSQL did not start: ${lastLines(words)} (logs in ${making.layout.logs})`,
      );
    }
    await delay(200);
  }
}

const lastLines = (text: string): string => text.trim().split('\n').slice(-5).join(' / ');

/** What the server said in its last attempt, before and after it opened its log. */
async function lastWords({ start_log, logs }: Layout): Promise<string> {
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

/** One attempt; null where the server gave up. */
async function startOnce(
  making: Making,
  address: Address,
  extra: Readonly<Record<string, string>>,
  by_watchdog: boolean,
): Promise<Server | null> {
  const { layout, binaries, user } = making;
  const settings = Object.entries({ ...settingsOf(making, address), ...extra });
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
    await Promise.race([exited, delay(look_ms)]);
    // Set by the events above, between one look and the next.
    if (gone as boolean) return null;
    const postmaster = await readPostmaster(layout.database);
    const isOurs = postmaster?.pid === child.pid || by_watchdog || process.platform !== 'linux';
    if (postmaster?.status === 'ready' && isOurs && isServerOf(layout.database, postmaster)) {
      return serverOf(child, postmaster, exited);
    }
  }
}

function serverOf(child: ChildProcess, { pid }: Postmaster, exited: Promise<void>): Server {
  // A process that has nothing else to do may end, and takes the server along.
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
 * Stops what an earlier process of ours left on this directory: a server that runs on without its parent, or the
 * file of a server that is no more. Only for who holds the lock.
 *
 * @throws EmbeddedError where it does not stop
 */
export async function stopLeftover(database_dir: string): Promise<void> {
  const left = await readPostmaster(database_dir);
  if (left === null) return;
  if (!isServerOf(database_dir, left)) {
    await disownPostmaster(database_dir);
    return;
  }
  await stopProcess(left.pid);
}

/**
 * Stops a server: its clients are disconnected and everything is written. One that takes too long is cut off,
 * which loses nothing either: the next start recovers.
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
    const deadline = performance.now() + patience_ms;
    while (performance.now() < deadline) {
      if (!isAlive(pid)) return;
      await delay(look_ms);
    }
  }
  throw new EmbeddedError(`The PostgreSQL server with process id ${pid} does not stop: end it by hand.`);
}
