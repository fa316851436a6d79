import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { openLanes } from './lanes.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

/** Lanes of which each has a number, with all that happened on them; work ends when it is told to. */
function lanesOf({ lanes, deep }: { lanes: number; deep: number }) {
  const log: string[] = [];
  const ends = new Map<string, () => void>();
  const lose: (() => void)[] = [];
  const results: Promise<string>[] = [];
  const run = openLanes({
    lanes,
    deep,
    patience_ms: 100,
    open(lost) {
      const number = lose.push(lost);
      return { it: Promise.resolve(number), giveBack: () => log.push(`${number} given back`) };
    },
  });
  return {
    run,
    results,
    /** Since it was last asked for. */
    log: () => log.splice(0),
    begin: async (...names: string[]) => {
      for (const name of names) {
        const work = (lane: number) =>
          new Promise<string>((resolve) => {
            log.push(`${name} on ${lane}`);
            ends.set(name, () => {
              resolve(name);
            });
          });
        results.push(run(work));
      }
      await vi.advanceTimersByTimeAsync(0);
    },
    end: async (name: string) => {
      ends.get(name)?.();
      await vi.advanceTimersByTimeAsync(0);
    },
    lose: (number: number) => lose[number - 1]?.(),
  };
}

describe('lanes', () => {
  test('work goes where there is least to do, and what is shared is given back when none is left', async () => {
    const { begin, end, log } = lanesOf({ lanes: 2, deep: 2 });
    await begin('a', 'b', 'c');
    expect(log()).toEqual(['a on 1', 'b on 2', 'c on 1']);
    await end('a');
    await end('b');
    expect(log()).toEqual(['2 given back']);
    await end('c');
    expect(log()).toEqual(['1 given back']);
    await begin('d');
    expect(log()).toEqual(['d on 3']);
  });

  test('where all are full work waits for its turn, first come, first served', async () => {
    const { begin, end, log, results } = lanesOf({ lanes: 1, deep: 2 });
    await begin('a', 'b', 'c', 'd');
    expect(log()).toEqual(['a on 1', 'b on 1']);
    await end('b');
    expect(log()).toEqual(['c on 1']);
    for (const name of ['a', 'c', 'd']) await end(name);
    expect(log()).toEqual(['d on 1', '1 given back']);
    expect(await Promise.all(results)).toEqual(['a', 'b', 'c', 'd']);
  });

  test('what fails fails alone', async () => {
    const { run, begin, end, log, results } = lanesOf({ lanes: 1, deep: 2 });
    await begin('a');
    await expect(run(() => Promise.reject(new Error('refused')))).rejects.toThrow('refused');
    await end('a');
    expect(await results[0]).toBe('a');
    expect(log()).toEqual(['a on 1', '1 given back']);
  });

  test('nothing is put behind what takes too long; it is given back all the same', async () => {
    const { begin, end, log } = lanesOf({ lanes: 1, deep: 2 });
    await begin('slow', 'behind', 'waiting');
    await vi.advanceTimersByTimeAsync(99);
    expect(log()).toEqual(['slow on 1', 'behind on 1']);
    await vi.advanceTimersByTimeAsync(1);
    expect(log()).toEqual(['waiting on 2']);
    await end('waiting');
    for (const name of ['slow', 'behind']) await end(name);
    expect(log()).toEqual(['2 given back', '1 given back']);
  });

  test('nobody joins what is lost', async () => {
    const { begin, end, log, lose } = lanesOf({ lanes: 1, deep: 2 });
    await begin('a');
    lose(1);
    await begin('b');
    await end('a');
    expect(log()).toEqual(['a on 1', 'b on 2', '1 given back']);
  });

  test('what cannot be opened fails whoever waits for it, and is tried anew', async () => {
    let tries = 0;
    const giveBack = vi.fn();
    const run = openLanes({
      lanes: 1,
      deep: 2,
      patience_ms: 100,
      open: () => ({
        it: ++tries === 1 ? Promise.reject(new Error('away')) : Promise.resolve(tries),
        giveBack,
      }),
    });
    const both = [run((lane) => Promise.resolve(lane)), run((lane) => Promise.resolve(lane))];
    for (const one of both) await expect(one).rejects.toThrow('away');
    expect(await run((lane) => Promise.resolve(lane))).toBe(2);
    expect(giveBack).toHaveBeenCalledTimes(2);
  });
});
