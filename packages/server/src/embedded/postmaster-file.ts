import { lchown, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { EmbeddedError } from './embedded-error.ts';
import { commandOf, isAlive } from './processes.ts';

/** What a running server says of itself in `postmaster.pid`. */
export interface Postmaster {
  pid: number;
  port: number;
  /** The directory of its socket, or empty where it has none. */
  socket_dir: string;
  /** `starting`, `ready`, `stopping` */
  status: string;
}

const fileOf = (database_dir: string): string => join(database_dir, 'postmaster.pid');

/**
 * Reads the file, or null where there is none.
 *
 * @throws EmbeddedError where it belongs to another user
 */
export async function readPostmaster(database_dir: string): Promise<Postmaster | null> {
  let text: string;
  try {
    text = await readFile(fileOf(database_dir), 'utf8');
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') return null;
    if (code !== 'EACCES' && code !== 'EPERM') throw error;
    throw new EmbeddedError(
      `${database_dir} belongs to another user: run this command as the user who started Paydesk.`,
    );
  }
  const lines = text.split('\n').map((line) => line.trim());
  return {
    pid: Number(lines[0]),
    port: Number(lines[3] ?? 0),
    socket_dir: lines[4] ?? '',
    status: lines[7] ?? 'starting',
  };
}

/**
 * Whether that process is a server on this directory. A process id lives on in the file after a crash of the
 * machine, and may be anybody's by then.
 *
 * @param database_dir as it was given to the server
 */
export function isServerOf(database_dir: string, { pid }: Postmaster): boolean {
  if (!isAlive(pid)) return false;
  if (process.platform === 'win32') return true;
  const command = commandOf(pid);
  return command.includes('postgres') && command.includes(database_dir);
}

/** No system gives out ids so high. */
const nobody = 2_147_483_646;

/**
 * Takes the process id out of the file that a dead server left: it may name a living process by now, and a zombie
 * counts as living. The rest stays, because by it a new server sees whether the old one's children are all gone.
 */
export async function disownPostmaster(database_dir: string): Promise<void> {
  const path = fileOf(database_dir);
  const [text, { uid, gid }] = await Promise.all([readFile(path, 'utf8'), stat(database_dir)]);
  await rm(path);
  await writeFile(path, text.replace(/^-?\d+/, String(nobody)), { mode: 0o600, flag: 'wx' });
  if (process.getuid?.() === 0) await lchown(path, uid, gid);
}
