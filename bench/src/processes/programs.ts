/** Finds the programs of this machine that benchmarks run. */
import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';

export function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** The first of these commands in these directories, or else on PATH. */
export function findProgram(names: readonly string[], first: readonly string[] = []): string | undefined {
  const path = (process.env.PATH ?? '').split(delimiter).filter((dir) => dir !== '');
  return names.flatMap((name) => [...first, ...path].map((dir) => join(dir, name))).find(isExecutable);
}
