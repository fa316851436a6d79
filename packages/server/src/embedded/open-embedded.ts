/** Opens the embedded PostgreSQL for the service, or joins the running one for a command. */
import { constants, existsSync } from 'node:fs';
import { access, realpath, stat } from 'node:fs/promises';
import { createServer, type AddressInfo } from 'node:net';
import { resolve } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { makeDirectory } from '../base/make-directory.ts';
import { createDatabaseIfMissing, createRole, tryConnection } from '../base/pg/index.ts';
import { readPassword, role, serviceRole, setPassword, type Transport, writeAccessRules } from './access.ts';
import { prepareBinaries } from './binaries.ts';
import { EmbeddedError } from './embedded-error.ts';
import { initialise, type DatabaseSetup } from './initialise.ts';
import { type Layout, layoutOf, makePrivateDirectory, socketDirectory } from './layout.ts';
import { acquire, type Holder, holderOf, type Lock } from './lock.ts';
import { isServerOf, readPostmaster } from './postmaster-file.ts';
import { allowEntry, serverUser } from './run-as.ts';
import { type Address, startServer, stopLeftover } from './server.ts';

export interface EmbeddedOptions {
  /** The data directory. It is created if it is missing. Only one service at a time can use it. */
  data_dir: string;
  /** The command that this process runs, such as `paydesk start`. Errors of other processes name it. */
  purpose: string;
  /** Gets a log line before a slow step. */
  log?: (line: string) => void;
  /** False runs without fsync. Only for tests. Default true. */
  durable?: boolean;
  /** The program directory of another PostgreSQL, instead of the packaged one. */
  bin?: string;
  /** More settings of the server, by name. */
  settings?: Readonly<Record<string, string>>;
  /** Default: `socket`; on Windows `loopback`. */
  transport?: Transport;
  /** Start the server below a watchdog process, even if the kernel could signal the end of this process. */
  by_watchdog?: boolean;
}

/** How to connect to the database: the members of a driver's configuration. */
export interface ConnectionSettings {
  /** The directory of the socket, or the loopback address. */
  host: string;
  port: number;
  user: string;
  database: string;
  password?: string;
}

export interface Embedded {
  connection: ConnectionSettings;
  /** The connection as an address: `postgresql://…`. Its role owns everything. */
  url: string;
  /** The address for the service. Its role, `service_role`, owns nothing and has no right before it is granted one. */
  service_url: string;
  service_role: string;
  data_dir: string;
  /** The system user that the server runs as; null if it is the user of this process. */
  runs_as: string | null;
  /** Whether the server belongs to another process. Then `stop` does not stop it. */
  joined: boolean;
  /** Resolves if the server ends without `stop`. The database cannot be used after that. */
  lost: Promise<void>;
  /** Stops the server and releases the data directory. A second call has no effect. */
  stop(): Promise<void>;
}

/** The address of a connection, for drivers and PostgreSQL's tools. */
export function urlOf({ host, port, user, database, password }: ConnectionSettings): string {
  const secret = password === undefined ? '' : `:${encodeURIComponent(password)}`;
  return `postgresql://${user}${secret}@${encodeURIComponent(host)}:${port}/${database}`;
}

/**
 * Opens the embedded PostgreSQL in `data_dir` for this process. Creates the database at the first start, cleans up after
 * a killed process, and starts the server. The server ends with this process.
 *
 * @throws EmbeddedError if that is not possible, for example if another live process uses the directory
 */
export async function openEmbedded(options: EmbeddedOptions): Promise<Embedded> {
  const layout = layoutOf(await prepareDataDir(options.data_dir));
  const lock = await acquire(layout.lock, options.purpose);
  try {
    return await openLocked(layout, lock, options);
  } catch (error) {
    await lock.release();
    throw error;
  }
}

/**
 * Opens the database in `data_dir` for a command. Uses the running server if there is one, else starts one until the
 * command ends.
 *
 * @throws EmbeddedError if there is no data directory, and as `openEmbedded`
 */
export async function joinEmbedded(options: EmbeddedOptions): Promise<Embedded> {
  const data_dir = resolve(options.data_dir);
  if (!(await stat(data_dir).catch(() => null))?.isDirectory()) {
    throw new EmbeddedError(
      `There is no data directory ${data_dir}: set PAYDESK_DATA_DIR to the one of the service, or DATABASE_URL.`,
    );
  }
  const layout = layoutOf(await realpath(data_dir));
  for (;;) {
    const holder = await holderOf(layout.lock);
    if (holder === null) return openEmbedded(options);
    const joined = await joinServerOf(holder, layout);
    if (joined !== null) return joined;
    await delay(100);
  }
}

/**
 * Creates the data directory if it is missing, and returns its real path.
 *
 * @throws EmbeddedError if it is not a directory that this user may write
 */
export async function prepareDataDir(path: string): Promise<string> {
  const data_dir = resolve(path);
  try {
    // Missing parents get the default mode of this process, so that PostgreSQL's own user can enter them.
    await makeDirectory(data_dir, 0o700);
    await access(data_dir, constants.W_OK | constants.X_OK);
    return await realpath(data_dir);
  } catch (error) {
    const { code, message, path: at = data_dir } = error as NodeJS.ErrnoException;
    const why = code === 'EEXIST' || code === 'ENOTDIR' ? `${at} is a file` : message;
    throw new EmbeddedError(
      `PAYDESK_DATA_DIR must be a directory that this user may write, not ${data_dir} (${why}).`,
      { cause: error },
    );
  }
}

async function openLocked(layout: Layout, lock: Lock, options: EmbeddedOptions): Promise<Embedded> {
  const { durable = true, settings = {}, by_watchdog = false, log = () => undefined } = options;
  const transport = options.transport ?? (process.platform === 'win32' ? 'loopback' : 'socket');
  const user = serverUser(layout.database);
  await allowEntry(user, layout.data_dir);
  const binaries = await prepareBinaries(layout.data_dir, user, options.bin);
  const setup: DatabaseSetup = { layout, binaries, user, durable };
  await stopLeftover(layout.database);
  if (!existsSync(layout.database))
    log(`creating a PostgreSQL ${binaries.major} database in ${layout.database}`);
  await initialise(setup);
  await makePrivateDirectory(layout.logs, user);
  await writeAccessRules(layout, transport);
  const sockets = transport === 'socket' ? await socketDirectory(layout, user) : null;
  const password = transport === 'socket' ? undefined : await setPassword(layout, binaries, user);
  const address: Address = {
    transport,
    socket_dir: sockets?.path ?? '',
    port: transport === 'socket' ? 5432 : await freePort(),
  };
  const server = await startServer(setup, address, settings, by_watchdog);
  const connection = connectionTo(address, password);
  try {
    await createDatabaseIfMissing(connection);
    await createRole(connection, serviceRole, password);
  } catch (error) {
    await server.stop();
    throw error;
  }

  let stopping: Promise<void> | undefined;
  const stop = async (): Promise<void> => {
    await server.stop();
    await sockets?.remove();
    await lock.release();
  };
  return {
    connection,
    url: urlOf(connection),
    service_url: urlOf({ ...connection, user: serviceRole }),
    service_role: serviceRole,
    data_dir: layout.data_dir,
    runs_as: user?.name ?? null,
    joined: false,
    lost: new Promise((resolveLost) => {
      void server.exited.then(() => {
        if (stopping === undefined) resolveLost();
      });
    }),
    stop: () => (stopping ??= stop()),
  };
}

/** Connects to the running server of the holder; null while the server starts or stops. */
async function joinServerOf(holder: Holder, layout: Layout): Promise<Embedded | null> {
  const postmaster = await readPostmaster(layout.database);
  if (postmaster?.status !== 'ready' || !isServerOf(layout.database, postmaster)) return null;
  const transport = postmaster.socket_dir === '' ? 'loopback' : 'socket';
  const password = transport === 'socket' ? undefined : await readPassword(layout);
  const connection = connectionTo({ transport, ...postmaster }, password);
  try {
    await tryConnection(connection);
  } catch (error) {
    const { code } = error as { code?: string };
    if (code === databaseMissing || code === databaseStarting) return null;
    throw new EmbeddedError(
      `The database of "${holder.purpose}" (process ${holder.pid}) refused the connection of this command (${(error as Error).message}): run it as the user who started Paydesk.`,
      { cause: error },
    );
  }
  return {
    connection,
    url: urlOf(connection),
    service_url: urlOf({ ...connection, user: serviceRole }),
    service_role: serviceRole,
    data_dir: layout.data_dir,
    runs_as: null,
    joined: true,
    lost: new Promise(() => undefined),
    stop: () => Promise.resolve(),
  };
}

function connectionTo(address: Address, password: string | undefined): ConnectionSettings {
  const host = address.transport === 'socket' ? address.socket_dir : '127.0.0.1';
  const reach = { host, port: address.port, user: role, database: role };
  return password === undefined ? reach : { ...reach, password };
}

/** The first start has not created the database yet. */
const databaseMissing = '3D000';
const databaseStarting = '57P03';

/** Finds a free port of the loopback address. */
async function freePort(): Promise<number> {
  const probe = createServer();
  await new Promise<void>((listening, failed) => {
    probe.once('error', failed).listen(0, '127.0.0.1', listening);
  });
  const { port } = probe.address() as AddressInfo;
  await new Promise((closed) => probe.close(closed));
  return port;
}
