import { existsSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { dirname } from 'node:path';

/**
 * Creates the directory if it is missing, and its missing parents with the default mode. One at a time: `recursive` alone
 * never ends where the system takes no directories, as in `/proc` (D-890).
 *
 * @throws the error of the system, EEXIST if the path is a file
 */
export async function makeDirectory(path: string, mode = 0o777): Promise<void> {
  if (!existsSync(path)) {
    await makeDirectory(dirname(path));
    await mkdir(path, { mode }).catch((error: unknown) => {
      // Another process has made it meanwhile.
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    });
  }
  await mkdir(path, { recursive: true });
}
