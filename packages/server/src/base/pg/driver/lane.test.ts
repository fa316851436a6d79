import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { openLane } from './lane.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

/** A lane two max_under_way; what is shared has a number each time. With all that happened; work ends when it is told to. */
function laneOfTwo() {
  const log: string[] = [];
  const ends = new Map<string, () => void>();
  const lose: (() => void)[] = [];
  const results: Promise<string>[] = [];
  const run = openLane({
    max_under_way: 2,
    patience_ms: 100,
    open(lost) {
      const number = lose.push(lost);
      return { connection: Promise.resolve(number), release: () => log.push(`${number} given back`) };
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

describe('a lane', () => {
  test('work goes one behind the other, and what is shared is given back when none is left', async () => {
    const { begin, end, log } = laneOfTwo();
    await begin('a', 'b');
    expect(log()).toEqual(['a on 1', 'b on 1']);
    await end('a');
    await begin('c');
    await end('b');
    expect(log()).toEqual(['c on 1']);
    await end('c');
    expect(log()).toEqual(['1 given back']);
    await begin('d');
    expect(log()).toEqual(['d on 2']);
  });

  test('where it is full work waits for its turn, first come, first served', async () => {
    const { begin, end, log, results } = laneOfTwo();
    await begin('a', 'b', 'c', 'd');
    expect(log()).toEqual(['a on 1', 'b on 1']);
    await end('b');
    expect(log()).toEqual(['c on 1']);
    for (const name of ['a', 'c', 'd']) await end(name);
    expect(log()).toEqual(['d on 1', '1 given back']);
    expect(await Promise.all(results)).toEqual(['a', 'b', 'c', 'd']);
  });

  test('what fails fails alone', async () => {
    const { run, begin, end, log, results } = laneOfTwo();
    await begin('a');
    await expect(run(() => Promise.reject(new Error('refused')))).rejects.toThrow('refused');
    await end('a');
    expect(await results[0]).toBe('a');
    expect(log()).toEqual(['a on 1', '1 given back']);
  });

  test('nothing is put behind what takes too long; it is given back all the same', async () => {
    const { begin, end, log } = laneOfTwo();
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
    const { begin, end, log, lose } = laneOfTwo();
    await begin('a');
    lose(1);
    await begin('b');
    await end('a');
    expect(log()).toEqual(['a on 1', 'b on 2', '1 given back']);
  });

  test('what cannot be opened fails whoever waits for it, and is tried anew', async () => {
    let tries = 0;
    const release = vi.fn();
    const run = openLane({
      max_under_way: 2,
      patience_ms: 100,
      open: () => ({
        connection: ++tries === 1 ? Promise.reject(new Error('away')) : Promise.resolve(tries),
        release,
      }),
    });
    const both = [run((lane) => Promise.resolve(lane)), run((lane) => Promise.resolve(lane))];
    for (const one of both) await expect(one).rejects.toThrow('away');
    expect(await run((lane) => Promise.resolve(lane))).toBe(2);
    expect(release).toHaveBeenCalledTimes(2);
  });
});
