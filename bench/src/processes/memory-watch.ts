import { setTimeout as pause } from 'node:timers/promises';
import type { Server } from './children.ts';

/**
 * Samples the memory of a process during some work.
 *
 * @returns the peak memory in the first and in the second half of the time, in megabytes
 */
export async function watchMemory<T>(
  { memory }: Pick<Server, 'memory'>,
  work: () => Promise<T>,
): Promise<{ result: T; halves_mb: [number, number] }> {
  const samples: number[] = [];
  const stop = new AbortController();
  const sampling = (async () => {
    while (!stop.signal.aborted) {
      samples.push((await memory()) ?? NaN);
      await pause(100);
    }
  })();
  try {
    const result = await work();
    const half = Math.max(1, Math.floor(samples.length / 2));
    const most = (of: number[]): number => Math.max(...of) / 1_000_000;
    return { result, halves_mb: [most(samples.slice(0, half)), most(samples.slice(half))] };
  } finally {
    stop.abort();
    await sampling;
  }
}
