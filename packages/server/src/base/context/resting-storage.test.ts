import { AsyncLocalStorage } from 'node:async_hooks';
import { expect, test } from 'vitest';
import { restingStorage } from './resting-storage.ts';

const storage = new AsyncLocalStorage<string>();
const rest = restingStorage(storage);

test('a storage is used until its last hold ends, and again with the next one', async () => {
  for (let round = 0; round < 2; round++) {
    const [first, second] = [rest.hold(), rest.hold()];
    const seen: (string | undefined)[] = [];
    const work = async (end: () => void): Promise<void> => {
      await Promise.resolve();
      seen.push(storage.getStore());
      end();
      end();
    };
    await Promise.all([storage.run('one', () => work(first)), storage.run('two', () => work(second))]);
    expect(seen).toEqual(['one', 'two']);
    expect(storage.getStore()).toBeUndefined();
  }
});

test('a hold that ends twice counts once', () => {
  const [first, second] = [rest.hold(), rest.hold()];
  storage.run('kept', () => {
    first();
    first();
    expect(storage.getStore()).toBe('kept');
    second();
    expect(storage.getStore()).toBeUndefined();
  });
});
