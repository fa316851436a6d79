import { randomUUID } from 'node:crypto';
import { link, readFile, rename, unlink, writeFile } from 'node:fs/promises';
import { EmbeddedError } from './embedded-error.ts';
import { startOf } from './processes.ts';

/** The process that holds a data directory. */
export interface Holder {
  pid: number;
  /** When it started, as `startOf` tells it: a later process with the same id is not the holder. */
  started: string;
  /** What it does there, as its user would say: `paydesk start`, `paydesk migrate`. */
  purpose: string;
}

export interface Lock {
  release(): Promise<void>;
}

async function read(path: string): Promise<Holder | null> {
  try {
    return JSON.parse(await readFile(path, 'utf8')) as Holder;
  } catch (error) {
    // A file cut short by a crash of the machine names nobody.
    if (error instanceof SyntaxError || codeOf(error) === 'ENOENT') return null;
    throw error;
  }
}

const codeOf = (error: unknown): string | undefined => (error as NodeJS.ErrnoException).code;

function isLive(holder: Holder | null): holder is Holder {
  return holder !== null && startOf(holder.pid) === holder.started;
}

/** The live process that holds the lock, or null: a dead one's lock counts for nothing. */
export async function holderOf(path: string): Promise<Holder | null> {
  const holder = await read(path);
  return isLive(holder) ? holder : null;
}

/**
 * Takes the lock for this process; the lock of a dead one is taken over. It only serves the clear sentence: what
 * keeps two servers off one directory is PostgreSQL's own interlock.
 *
 * @throws EmbeddedError where a live process holds it
 */
export async function acquire(path: string, purpose: string): Promise<Lock> {
  const mine: Holder = { pid: process.pid, started: startOf(process.pid) ?? '', purpose };
  const draft = `${path}.${randomUUID()}`;
  await writeFile(draft, JSON.stringify(mine), { mode: 0o644, flag: 'wx' });
  try {
    while (!(await linked(draft, path))) await moveAsideIfDead(path);
  } finally {
    await unlink(draft);
  }
  return { release: () => unlink(path).catch(() => undefined) };
}

async function linked(draft: string, path: string): Promise<boolean> {
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
  // Another process may have taken over between our look and our move: then give it back.
  const moved = await read(aside);
  if (isLive(moved)) await linked(aside, path);
  await unlink(aside);
}

function heldBy(path: string, { pid, purpose }: Holder): EmbeddedError {
  const dir = path.replace(/[/\\][^/\\]*$/, '');
  const who = pid === process.pid ? 'this process' : `process ${pid}`;
  return new EmbeddedError(
    `The data directory ${dir} is in use by "${purpose}" (${who}): stop that first, or set PAYDESK_DATA_DIR to another directory.`,
  );
}
