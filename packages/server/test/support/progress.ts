import { appendFileSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { dirname } from 'node:path';

/** What of a long run is done, so that one that was stopped can go on where it was. */
export interface Progress {
  done: ReadonlySet<string>;
  /** Writes down that one of so many is done, and says how far it is. */
  finish(name: string, of: number): void;
}

/** @param file where it is written down, a line for each; null: nowhere, and nothing is said */
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
      // The next run begins anew.
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
