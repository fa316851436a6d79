import { type FileHandle, open, realpath, rename, rm, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { CommandError, EndedReaderError } from '../shared/command-errors.ts';

/**
 * Writes a file that has its name only when it is whole: an export that ends early leaves the one before it (D-1395). What
 * cannot be replaced is written as it is: a device, a pipe, a file that is mounted, and one in a folder of others.
 *
 * @throws EndedReaderError if the reader of a pipe has ended (D-1361)
 */
export async function writeWhole(file: string, content: Readable): Promise<void> {
  const path = await realpath(file).catch(() => file);
  const unnamed = `${path}.part`;
  const part = (await isReplaceable(path)) ? await openPart(unnamed) : null;
  if (part === null) return writeAsItIs(path, content);
  const { ino } = await part.stat();
  const isOwn = async (): Promise<boolean> => (await stat(unnamed).catch(() => null))?.ino === ino;
  try {
    await pipeline(content, part.createWriteStream({ flush: true }));
    if (!(await isOwn())) throw overtaken(unnamed);
    await rename(unnamed, path);
  } catch (error) {
    if (await isOwn()) await rm(unnamed, { force: true });
    throw error;
  }
}

async function writeAsItIs(path: string, content: Readable): Promise<void> {
  const target = (await openOwn(path)).createWriteStream();
  let hasEnded = false;
  target.on('error', ({ code }: NodeJS.ErrnoException) => (hasEnded = code === 'EPIPE'));
  await pipeline(content, target).catch((error: unknown) => {
    throw hasEnded ? new EndedReaderError() : error;
  });
}

/**
 * A new file in the place of what a killed export has left, or another one still writes (D-1396). Null if there can be none, as
 * where another person's file has its name in a shared folder (D-1434).
 */
async function openPart(path: string): Promise<FileHandle | null> {
  const isFree = await rm(path, { force: true }).then(
    () => true,
    () => false,
  );
  if (!isFree) return null;
  return openOwn(path, 'wx').catch((error: unknown) => {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') throw overtaken(path);
    return null;
  });
}

const overtaken = (part: string): CommandError =>
  new CommandError(`Another export has begun to write ${part} meanwhile: it goes on.`);

async function isReplaceable(path: string): Promise<boolean> {
  const found = await stat(path).catch(() => null);
  return found === null || (found.isFile() && found.dev === (await stat(dirname(path))).dev);
}

/** Not every user of this machine may read the books. A file that was there keeps its mode when it is opened (D-628). */
async function openOwn(path: string, flags: 'w' | 'wx' = 'w'): Promise<FileHandle> {
  const opened = await open(path, flags, 0o600);
  if ((await opened.stat()).isFile()) await opened.chmod(0o600);
  return opened;
}
