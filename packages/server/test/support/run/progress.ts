import { appendFileSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { dirname } from 'node:path';

/** The finished parts of a long run, so that a stopped run can continue. */
export interface Progress {
  done: ReadonlySet<string>;
  /** Stores that one part of the given number is done, and prints the progress. */
  finish(name: string, of: number): void;
}

/** @param file the file, with a line for each part; null: nothing is stored or printed */
export function openProgress(file: string | null): Progress {
  const done = new Set(file === null ? [] : linesOf(file));
  const before = done.size;
  const started = performance.now();
  return {
    done: new Set(done),
    finish(name, of) {
      if (file === null) return;
      done.add(name);
      mkdirSync(dirname(file), { recursive: true });
      appendFileSync(file, `${name}\n`);
      const minutes = (performance.now() - started) / 60_000;
      const left = of - done.size;
      const more = Math.ceil((minutes / (done.size - before)) * left);
      // The next run starts from the beginning.
      if (left === 0) rmSync(file);
      console.log(`${name}: ${done.size} of ${of} done, ${left} left, about ${more} minutes`);
    },
  };
}

function linesOf(file: string): string[] {
  try {
    return readFileSync(file, 'utf8').split('\n').filter(Boolean);
  } catch {
    return [];
  }
}
