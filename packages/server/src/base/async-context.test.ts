import { AsyncLocalStorage } from 'node:async_hooks';
import { describe, expect, test } from 'vitest';
import { asyncContext } from './async-context.ts';

const tick = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

describe('D-648 a context', () => {
  test('gives its value to the work and to what that starts, to each work its own', async () => {
    const context = asyncContext<string>();
    const seen = async (): Promise<(string | undefined)[]> => {
      const before = context.now();
      await tick();
      return [before, context.now()];
    };
    expect(await Promise.all([context.run('a', seen), context.run('b', seen), seen()])).toEqual([
      ['a', 'a'],
      ['b', 'b'],
      [undefined, undefined],
    ]);
    expect(context.run('c', () => context.now())).toBe('c');
  });

  test('is on while work runs in it, and off after the last has ended, whatever became of it', async () => {
    const storage = new AsyncLocalStorage<string>();
    const context = asyncContext(storage);
    let switchedOff = 0;
    const disable = storage.disable.bind(storage);
    storage.disable = () => {
      switchedOff++;
      disable();
    };
    const slow = context.run('slow', async () => {
      await tick();
      await tick();
      return context.now();
    });
    await expect(context.run('fails', () => Promise.reject(new Error('no')))).rejects.toThrow('no');
    expect(() =>
      context.run('throws', () => {
        throw new Error('at once');
      }),
    ).toThrow('at once');
    expect(switchedOff).toBe(0);
    expect(await slow).toBe('slow');
    await tick();
    expect(switchedOff).toBe(1);
    expect(context.now()).toBeUndefined();
    expect(context.run('again', () => context.now())).toBe('again');
    expect(switchedOff).toBe(2);
  });
});
