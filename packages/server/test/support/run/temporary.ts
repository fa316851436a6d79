import { chmod, mkdtemp, readdir, rm, statfs } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isAlive } from '../../../src/embedded/processes.ts';

export interface TemporaryDirectory {
  path: string;
  remove(): Promise<void>;
}

const removeAll = (path: string): Promise<void> => rm(path, { recursive: true, force: true, maxRetries: 5 });

/** A directory of its own that other users can pass through but not list: servers may run as one of them. */
export async function temporaryDirectory(purpose: string, parent = tmpdir()): Promise<TemporaryDirectory> {
  const path = await mkdtemp(join(parent, `paydesk-${purpose}-${process.pid}-`));
  await chmod(path, 0o711);
  return { path, remove: () => removeAll(path) };
}

/** Where Linux keeps files in memory. */
const inMemory = '/dev/shm';

/**
 * Where databases of tests are best kept: in memory, if that has room for them. Tests make and drop hundreds of
 * databases, which takes a disk several times as long.
 */
export async function memoryDirectory(): Promise<string> {
  const space = await statfs(inMemory).catch(() => null);
  const isMemory = space?.type === 0x01021994;
  return isMemory && space.bavail * space.bsize > 2 * 1024 ** 3 ? inMemory : tmpdir();
}

/** Removes the remains of test runs that were killed. */
export async function removeAbandoned(): Promise<void> {
  for (const parent of [tmpdir(), inMemory]) {
    for (const name of await readdir(parent).catch(() => [])) {
      const pid = /^paydesk-.+-(\d+)-\w{6}$/.exec(name)?.[1];
      // Another user's files cannot be removed here.
      if (pid !== undefined && !isAlive(Number(pid))) {
        await removeAll(join(parent, name)).catch(() => undefined);
      }
    }
  }
}
