import { chmod, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isAlive } from '../../src/embedded/processes.ts';

export interface TemporaryDirectory {
  path: string;
  remove(): Promise<void>;
}

const removeAll = (path: string): Promise<void> => rm(path, { recursive: true, force: true, maxRetries: 5 });

/** A directory of its own that other users can pass through but not list: servers may run as one of them. */
export async function temporaryDirectory(purpose: string): Promise<TemporaryDirectory> {
  const path = await mkdtemp(join(tmpdir(), `paydesk-${purpose}-${process.pid}-`));
  await chmod(path, 0o711);
  return { path, remove: () => removeAll(path) };
}

/** Removes what test runs left that were killed. */
export async function removeAbandoned(): Promise<void> {
  for (const name of await readdir(tmpdir())) {
    const pid = /^paydesk-.+-(\d+)-\w{6}$/.exec(name)?.[1];
    // Another user's cannot be removed, and is theirs to clean.
    if (pid !== undefined && !isAlive(Number(pid))) {
      await removeAll(join(tmpdir(), name)).catch(() => undefined);
    }
  }
}
