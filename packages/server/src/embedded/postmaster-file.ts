/** Reads and repairs `postmaster.pid`, the file in which a running PostgreSQL describes itself. */
import { lchown, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { EmbeddedError } from './embedded-error.ts';
import { commandOf, isAlive } from './processes.ts';

/** The content of `postmaster.pid`. */
export interface Postmaster {
  pid: number;
  port: number;
  /** The directory of its socket; empty if it has no socket. */
  socket_dir: string;
  /** `starting`, `ready`, `stopping` */
  status: string;
}

const fileOf = (database_dir: string): string => join(database_dir, 'postmaster.pid');

/**
 * Reads the file; null if there is none.
 *
 * @throws EmbeddedError if it belongs to another user
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
 * Whether this process is a server on this directory. After a crash of the machine, the process id in the file may
 * belong to another process.
 *
 * @param database_dir as in the server's arguments
 */
export function isServerOf(database_dir: string, { pid }: Postmaster): boolean {
  if (!isAlive(pid)) return false;
  if (process.platform === 'win32') return true;
  const command = commandOf(pid);
  return command.includes('postgres') && command.includes(database_dir);
}

/** A process id that no system assigns. */
const unusedPid = 2_147_483_646;

/**
 * Replaces the process id in the file of a dead server: it may belong to a live process now, and PostgreSQL counts a zombie
 * as live. The rest stays, because a new server uses it to check that all children of the old one have ended.
 */
export async function clearPostmasterPid(database_dir: string): Promise<void> {
  const path = fileOf(database_dir);
  const { uid, gid } = await stat(database_dir);
  const text = await readFile(path, 'utf8').catch((error: unknown) => {
    // A server that was still ending has removed its file by itself.
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  });
  if (text === null) return;
  await rm(path, { force: true });
  await writeFile(path, text.replace(/^-?\d+/, String(unusedPid)), { mode: 0o600, flag: 'wx' });
  if (process.getuid?.() === 0) await lchown(path, uid, gid);
}
