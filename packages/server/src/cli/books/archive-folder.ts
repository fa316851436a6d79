/**
 * The folder of an archive: compressed files, each complete from the moment it has its name, and a manifest to which lines
 * are only appended (D-475).
 */
import { createHash } from 'node:crypto';
import { constants } from 'node:fs';
import { type FileHandle, lstat, open, readdir, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { gunzip, gzip } from 'node:zlib';
import { makeDirectory } from '../../base/make-directory.ts';
import { archiveFormat } from '../../seals/archive/index.ts';
import { CommandError } from '../shared/command-errors.ts';

const ending = '.jsonl.gz';
const manifestName = 'manifest.jsonl';
/** Of a file that is being written. */
const halfEnding = '.part';

/** A file in the manifest. */
export interface ManifestFile {
  file: string;
  /** Of its bytes, in hex. */
  sha256: string;
  bytes: number;
  merchant_no: string;
  orders: number;
  rows: number;
  /** The first and the last of its orders. */
  first_order: string;
  last_order: string;
  before: string;
  written_at: string;
}

export interface Manifest {
  files: ManifestFile[];
  /** The files whose rows were deleted, as far as they had not changed. */
  taken: Set<string>;
}

export const isArchiveFile = (name: string): boolean => name.endsWith(ending);

/** Whether a run gives such names. Other files of the folder are not touched. */
const isOwnName = (name: string): boolean => /^mr_[0-9A-Z]{26}-[0-9A-Z]{26}\.jsonl\.gz$/.test(name);

/** A file holds 1,000 orders: one that grows beyond this was not written by a run. */
const mostBytes = 1 << 30;

/** Reads a compressed file whole: its lines, and the SHA-256 of its bytes. */
export async function readLines(path: string): Promise<{ lines: string[]; sha256: string; bytes: number }> {
  const content = await readWhole(path).catch((error: unknown) => {
    throw new CommandError(`The file ${path} cannot be read: ${reasonOf(error)}.`);
  });
  const text = await promisify(gunzip)(content, { maxOutputLength: mostBytes }).catch(() => {
    throw new CommandError(`The file ${path} is damaged: it cannot be decompressed.`);
  });
  const lines = text.toString('utf8').split('\n');
  if (lines.at(-1) === '') lines.pop();
  return { lines, sha256: createHash('sha256').update(content).digest('hex'), bytes: content.length };
}

/** Opens a file of the folder. Does not follow a link of this name. */
const openOwn = (path: string, flags: number): Promise<FileHandle> =>
  open(path, flags | constants.O_NOFOLLOW | constants.O_NONBLOCK, 0o600);

async function readWhole(path: string): Promise<Buffer> {
  const file = await openOwn(path, constants.O_RDONLY);
  try {
    if (!(await file.stat()).isFile()) throw new Error('it is no file');
    return await file.readFile();
  } finally {
    await file.close();
  }
}

/** What the operating system says of a failed call, or the error's own words. */
function reasonOf(error: unknown): string {
  const { code, message } = error as NodeJS.ErrnoException;
  return code === 'ELOOP' ? 'it is a link' : (code ?? message);
}

/** Reads the manifest. Half a line of a process that died says nothing. Empty where there is no archive yet. */
export async function readManifest(folder: string): Promise<Manifest> {
  const text = await readWhole(join(folder, manifestName)).catch((error: unknown) => {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return '';
    throw new CommandError(`The manifest of ${folder} cannot be read: ${reasonOf(error)}.`);
  });
  const files = new Map<string, ManifestFile>();
  const taken = new Set<string>();
  for (const line of text.toString().split('\n')) {
    const entry = parse(line);
    if (typeof entry?.file === 'string' && isOwnName(entry.file))
      files.set(entry.file, entry as unknown as ManifestFile);
    if (typeof entry?.taken === 'string') taken.add(entry.taken);
  }
  return { files: [...files.values()], taken };
}

/** The manifest of an archive that must exist: a wrong name of the folder is no empty archive (D-1415). */
export async function readKnownManifest(folder: string): Promise<Manifest> {
  await stat(join(folder, manifestName)).catch((error: unknown) => {
    throw new CommandError(
      `There is no archive in ${folder}: its manifest cannot be read (${reasonOf(error)}).`,
    );
  });
  return readManifest(folder);
}

function parse(line: string): Record<string, unknown> | null {
  try {
    return JSON.parse(line) as Record<string, unknown>;
  } catch {
    return null;
  }
}

/** Creates the folder if there is none. Only its owner may read it. */
export async function openFolder(folder: string): Promise<void> {
  await writing(folder, () => makeDirectory(folder, 0o700));
  const { files } = await readManifest(folder);
  if (files.length === 0) await appendTo(folder, { manifest: archiveFormat });
}

/** Appends a line to the manifest, and flushes it to the disk. */
export const appendTo = (folder: string, entry: object): Promise<void> =>
  writing(folder, async () => {
    const { O_RDWR, O_CREAT, O_APPEND } = constants;
    const file = await openOwn(join(folder, manifestName), O_RDWR | O_CREAT | O_APPEND);
    try {
      const { size } = await file.stat();
      const { buffer, bytesRead } = await file.read(Buffer.alloc(1), 0, 1, Math.max(0, size - 1));
      const isTorn = bytesRead === 1 && buffer[0] !== 0x0a;
      await file.appendFile(`${isTorn ? '\n' : ''}${JSON.stringify(entry)}\n`);
      await file.sync();
    } finally {
      await file.close();
    }
    await syncFolder(folder);
  });

/** Writes a file, flushes it to the disk, and only then gives it its name. */
export const writeFileOf = (folder: string, name: string, lines: Iterable<string>): Promise<void> =>
  writing(folder, async () => {
    const text = [...lines].map((line) => `${line}\n`).join('');
    const content = await promisify(gzip)(Buffer.from(text, 'utf8'), { level: 9 });
    const unnamed = join(folder, `${name}${halfEnding}`);
    const { O_WRONLY, O_CREAT, O_EXCL } = constants;
    const file = await openOwn(unnamed, O_WRONLY | O_CREAT | O_EXCL);
    try {
      await file.writeFile(content);
      await file.sync();
    } catch (error) {
      await rm(unnamed, { force: true });
      throw error;
    } finally {
      await file.close();
    }
    await rename(unnamed, join(folder, name));
    await syncFolder(folder);
  });

/** @throws CommandError if the folder cannot be written, such as on a full disk */
async function writing(folder: string, work: () => Promise<unknown>): Promise<void> {
  try {
    await work();
  } catch (error) {
    throw new CommandError(
      `The folder ${folder} cannot be written (${reasonOf(error)}). No row was deleted that is not in a whole file; start the command again when it can.`,
    );
  }
}

/** Files that have their names and are not in the manifest: their process died in between. */
export async function unlisted(folder: string, { files }: Manifest): Promise<string[]> {
  const known = new Set(files.map(({ file }) => file));
  return (await readdir(folder)).filter((name) => isOwnName(name) && !known.has(name)).sort();
}

/** Removes what runs before this time had begun to write when they died. A younger one may be another run's (D-1392). */
export const removeHalves = (folder: string, before: Date): Promise<void> =>
  writing(folder, async () => {
    for (const name of await readdir(folder)) {
      if (!name.endsWith(halfEnding) || !isOwnName(name.slice(0, -halfEnding.length))) continue;
      const half = join(folder, name);
      // Another run may have removed it meanwhile.
      const { mtime } = await lstat(half).catch(() => ({ mtime: before }));
      if (mtime < before) await rm(half, { force: true });
    }
  });

async function syncFolder(folder: string): Promise<void> {
  const opened = await open(folder, 'r');
  try {
    await opened.sync();
  } finally {
    await opened.close();
  }
}

/** The name of a new file. */
export const nameOf = (merchant_no: string, ulid: string): string => `${merchant_no}-${ulid}${ending}`;
