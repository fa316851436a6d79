/** Chooses the system user that PostgreSQL runs as, because PostgreSQL refuses to run as root. */
import { spawnSync } from 'node:child_process';
import { readFileSync, statSync } from 'node:fs';
import { chmod, stat } from 'node:fs/promises';
import { EmbeddedError } from './embedded-error.ts';

/** A user of the operating system. */
export interface SystemUser {
  name: string;
  uid: number;
  gid: number;
}

/** The users that root may run PostgreSQL as, in order of preference. */
const candidates = ['paydesk', 'postgres', 'nobody'];

function systemUsers(): SystemUser[] {
  return readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .map((line) => line.split(':'))
    .map(([name = '', , uid = '', gid = '']) => ({ name, uid: Number(uid), gid: Number(gid) }))
    .filter(({ name, uid }) => name !== '' && uid > 0);
}

/**
 * The user to run PostgreSQL as: the owner of an existing database directory, else an unprivileged user of this
 * machine. Null if this process is not root: then PostgreSQL runs as the same user.
 *
 * @param database_dir may not exist yet
 */
export function serverUser(database_dir: string): SystemUser | null {
  if (process.getuid?.() !== 0) return null;
  const users = systemUsers();
  const owner = statSync(database_dir, { throwIfNoEntry: false })?.uid ?? 0;
  if (owner !== 0) {
    const user = users.find(({ uid }) => uid === owner);
    if (user !== undefined) return user;
    throw new EmbeddedError(
      `${database_dir} belongs to user id ${owner}, which this machine does not know: give it to an unprivileged user (chown -R).`,
    );
  }
  for (const name of candidates) {
    const user = users.find((other) => other.name === name);
    if (user !== undefined) return user;
  }
  throw new EmbeddedError(
    'PostgreSQL refuses to run as root and this machine has no user "postgres" or "nobody": run Paydesk as an ordinary user or set DATABASE_URL.',
  );
}

/** The options of `spawn` to run a program as this user; empty for the user of this process. */
export function asUser(user: SystemUser | null): { uid?: number; gid?: number } {
  return user === null ? {} : { uid: user.uid, gid: user.gid };
}

/** Whether this user can enter the directory and all its parents. */
export function canEnter(user: SystemUser | null, dir: string): boolean {
  const { status } = spawnSync('/bin/sh', ['-c', 'cd "$1"', 'sh', dir], {
    ...asUser(user),
    cwd: '/',
    stdio: 'ignore',
  });
  return status === 0;
}

/**
 * Lets PostgreSQL's user pass through the data directory, which may be private to root. Then other users can enter it
 * but not list it. Parent directories are not changed.
 *
 * @throws EmbeddedError if that user cannot enter a parent directory
 */
export async function allowEntry(user: SystemUser | null, data_dir: string): Promise<void> {
  if (user === null || canEnter(user, data_dir)) return;
  const { mode } = await stat(data_dir);
  await chmod(data_dir, (mode & 0o7777) | 0o011);
  if (canEnter(user, data_dir)) return;
  await chmod(data_dir, mode & 0o7777);
  throw new EmbeddedError(
    `Root's PostgreSQL runs as user "${user.name}", who cannot enter ${data_dir}: set PAYDESK_DATA_DIR to a directory outside private homes, such as /var/lib/paydesk, or set DATABASE_URL.`,
  );
}
