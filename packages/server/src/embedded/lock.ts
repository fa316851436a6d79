/** The lock of a data directory: only one live process uses it. */
import { randomUUID } from 'node:crypto';
import { link, readFile, rename, unlink, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { EmbeddedError } from './embedded-error.ts';
import { startOf } from './processes.ts';

/** The process that uses a data directory. */
export interface Holder {
  pid: number;
  /** Its start, from `startOf`. A later process with the same id is not the holder. */
  started: string;
  /** The command that it runs, such as `paydesk start` or `paydesk migrate`. */
  purpose: string;
}

export interface Lock {
  release(): Promise<void>;
}

async function read(path: string): Promise<Holder | null> {
  try {
    return JSON.parse(await readFile(path, 'utf8')) as Holder;
  } catch (error) {
    // A crash of the machine can truncate the file. Then there is no holder.
    if (error instanceof SyntaxError || codeOf(error) === 'ENOENT') return null;
    throw error;
  }
}

const codeOf = (error: unknown): string | undefined => (error as NodeJS.ErrnoException).code;

function isLive(holder: Holder | null): holder is Holder {
  return holder !== null && startOf(holder.pid) === holder.started;
}

/** The live process that holds the lock, or null. The lock of a dead process is ignored. */
export async function holderOf(path: string): Promise<Holder | null> {
  const holder = await read(path);
  return isLive(holder) ? holder : null;
}

/**
 * Takes the lock for this process, also from a dead process. Its purpose is a clear error message: PostgreSQL itself
 * prevents two servers on one directory.
 *
 * @throws EmbeddedError if a live process holds it
 */
export async function acquire(path: string, purpose: string): Promise<Lock> {
  const mine: Holder = { pid: process.pid, started: startOf(process.pid) ?? '', purpose };
  const draft = `${path}.${randomUUID()}`;
  try {
    await writeFile(draft, JSON.stringify(mine), { mode: 0o644, flag: 'wx' });
    while (!(await tryLink(draft, path))) await moveAsideIfDead(path);
  } catch (error) {
    if (codeOf(error) !== 'ENOSPC') throw error;
    throw new EmbeddedError(`The disk of ${dirname(path)} (PAYDESK_DATA_DIR) is full.`, { cause: error });
  } finally {
    await unlink(draft).catch(() => undefined);
  }
  return { release: () => unlink(path).catch(() => undefined) };
}

async function tryLink(draft: string, path: string): Promise<boolean> {
  try {
    await link(draft, path);
    return true;
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return false;
    throw error;
  }
}

async function moveAsideIfDead(path: string): Promise<void> {
  const holder = await read(path);
  if (isLive(holder)) throw heldBy(path, holder);
  const aside = `${path}.${randomUUID()}`;
  try {
    await rename(path, aside);
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return;
    throw error;
  }
  // Another process may have taken the lock between the read and the rename. Then give it back.
  const moved = await read(aside);
  if (isLive(moved)) await tryLink(aside, path);
  await unlink(aside);
}

function heldBy(path: string, { pid, purpose }: Holder): EmbeddedError {
  const who = pid === process.pid ? 'this process' : `process ${pid}`;
  return new EmbeddedError(
    `The data directory ${dirname(path)} is in use by "${purpose}" (${who}): stop that first, or set PAYDESK_DATA_DIR to another directory.`,
  );
}
