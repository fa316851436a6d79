import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export interface TemporaryDirectory {
  path: string;
  remove(): Promise<void>;
}

/** A directory of its own that other users can pass through but not list: servers may run as one of them. */
export async function temporaryDirectory(purpose: string): Promise<TemporaryDirectory> {
  const path = await mkdtemp(join(tmpdir(), `paydesk-${purpose}-`));
  await chmod(path, 0o711);
  return { path, remove: () => rm(path, { recursive: true, force: true, maxRetries: 5 }) };
}
