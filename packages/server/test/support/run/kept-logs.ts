import { rename } from 'node:fs/promises';
import { temporaryDirectory } from './temporary.ts';

/** A folder for what the processes of a long run log. */
export interface KeptLogs {
  path: string;
  /** Removes the folder if the run has passed; else keeps it and prints where it is. */
  end(passed: boolean): Promise<void>;
}

export async function keptLogs(purpose: string): Promise<KeptLogs> {
  const folder = await temporaryDirectory(`${purpose}-logs`);
  return {
    path: folder.path,
    async end(passed) {
      if (passed) return folder.remove();
      // A test run removes what is named after a process that has ended.
      const kept = `${folder.path}-kept`;
      await rename(folder.path, kept);
      console.log(`The logs of its processes are in ${kept}`);
    },
  };
}
