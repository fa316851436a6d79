import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { fewAtOnce } from './few-at-once.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

/** Work that ends when it is told to, and what has begun of it. */
function pieces(): {
  begun: string[];
  piece: (name: string) => () => Promise<string>;
  end: (name: string) => void;
} {
  const begun: string[] = [];
  const ends = new Map<string, () => void>();
  return {
    begun,
    piece: (name) => () =>
      new Promise((resolve) => {
        begun.push(name);
        ends.set(name, () => {
          resolve(name);
        });
      }),
    end: (name) => ends.get(name)?.(),
  };
}

describe('a few pieces of work at a time', () => {
  test('whoever comes then waits for their turn, first come, first served', async () => {
    const { begun, piece, end } = pieces();
    const turn = fewAtOnce(2, 100);
    const all = ['a', 'b', 'c', 'd'].map((name) => turn(piece(name)));
    await vi.advanceTimersByTimeAsync(0);
    expect(begun).toEqual(['a', 'b']);
    end('b');
    await vi.advanceTimersByTimeAsync(0);
    expect(begun).toEqual(['a', 'b', 'c']);
    for (const name of ['a', 'c']) end(name);
    await vi.advanceTimersByTimeAsync(0);
    end('d');
    expect(await Promise.all(all)).toEqual(['a', 'b', 'c', 'd']);
  });

  test('what fails gives its turn on, and the failure to who asked', async () => {
    const turn = fewAtOnce(1, 100);
    const failing = turn(() => Promise.reject(new Error('refused')));
    const after = turn(() => Promise.resolve('done'));
    await expect(failing).rejects.toThrow('refused');
    expect(await after).toBe('done');
  });

  test('what takes too long is not waited for, and gives its turn on only once', async () => {
    const { begun, piece, end } = pieces();
    const turn = fewAtOnce(1, 100);
    const all = ['slow', 'b', 'c'].map((name) => turn(piece(name)));
    await vi.advanceTimersByTimeAsync(99);
    expect(begun).toEqual(['slow']);
    await vi.advanceTimersByTimeAsync(1);
    expect(begun).toEqual(['slow', 'b']);
    end('slow');
    await vi.advanceTimersByTimeAsync(0);
    expect(begun).toEqual(['slow', 'b']);
    for (const name of ['b', 'c']) {
      end(name);
      await vi.advanceTimersByTimeAsync(0);
    }
    expect(await Promise.all(all)).toEqual(['slow', 'b', 'c']);
  });
});
