/** The files and directories of a data directory. */
import { createHash } from 'node:crypto';
import { chown, lstat, mkdir, mkdtemp, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { SystemUser } from './run-as.ts';

/** The paths in a data directory. */
export interface Layout {
  data_dir: string;
  /** The database cluster. */
  database: string;
  logs: string;
  /** The private directory of the socket, used if its path is short enough. */
  sockets: string;
  lock: string;
  /** The access rules. These and the next files are outside the database directory, so its user cannot change them. */
  hba: string;
  ident: string;
  password: string;
  /** The server's output before it opens its log. */
  start_log: string;
}

export const layoutOf = (data_dir: string): Layout => ({
  data_dir,
  database: join(data_dir, 'postgres'),
  logs: join(data_dir, 'logs'),
  sockets: join(data_dir, 'run'),
  lock: join(data_dir, 'paydesk.lock'),
  hba: join(data_dir, 'pg_hba.conf'),
  ident: join(data_dir, 'pg_ident.conf'),
  password: join(data_dir, 'postgres.password'),
  start_log: join(data_dir, 'postgres-start.log'),
});

/** Creates a directory that is private to PostgreSQL's user, or keeps an existing one. */
export async function makePrivateDirectory(path: string, user: SystemUser | null): Promise<void> {
  await mkdir(path, { recursive: true, mode: 0o700 });
  if (user !== null) await chown(path, user.uid, user.gid);
}

/** Maximum length of a socket's path on all systems: macOS allows 104 bytes with the final zero. */
const longestSocketPath = 103;
const socketName = '/.s.PGSQL.65535.lock';

const isShort = (dir: string): boolean => Buffer.byteLength(dir + socketName) <= longestSocketPath;

/** A private directory for the server's socket. */
export interface SocketDirectory {
  path: string;
  remove(): Promise<void>;
}

/**
 * Creates the private, empty directory for the socket: in the data directory, or in `/tmp` if the path of the data
 * directory is too long for a socket.
 */
export async function socketDirectory(layout: Layout, user: SystemUser | null): Promise<SocketDirectory> {
  if (isShort(layout.sockets)) {
    await makePrivateDirectory(layout.sockets, user);
    await removeSockets(layout.sockets);
    return { path: layout.sockets, remove: () => Promise.resolve() };
  }
  const owner = user?.uid ?? process.getuid?.() ?? 0;
  const digest = createHash('sha256').update(layout.data_dir).digest('hex').slice(0, 12);
  const stable = `/tmp/paydesk-${owner}-${digest}`;
  await makePrivateDirectory(stable, user).catch(() => undefined);
  // Another user may already have created a directory with this name. Then the name is random.
  const path = (await isPrivateTo(owner, stable)) ? stable : await mkdtemp('/tmp/paydesk-');
  await makePrivateDirectory(path, user);
  await removeSockets(path);
  return { path, remove: () => rm(path, { recursive: true, force: true }) };
}

/** Removes the files of a killed server: the process id in its lock may belong to another process now. */
async function removeSockets(dir: string): Promise<void> {
  const left = (await readdir(dir)).filter((name) => name.startsWith('.s.PGSQL.'));
  await Promise.all(left.map((name) => rm(join(dir, name), { force: true })));
}

async function isPrivateTo(owner: number, path: string): Promise<boolean> {
  const stat = await lstat(path).catch(() => null);
  return stat !== null && stat.isDirectory() && stat.uid === owner && (stat.mode & 0o777) === 0o700;
}
