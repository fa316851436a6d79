import { expect, test } from 'vitest';
import { oneAtATime } from './one-at-a-time.ts';

/** Lets everything run that waits for nothing. */
const settle = (): Promise<void> => new Promise((resolve) => void setImmediate(resolve));

test('D-1410 of many calls at once one runs, and the others share the next one, also after a failure', async () => {
  const begun: { by: string; end: (result: string) => void; fail: (error: Error) => void }[] = [];
  const call = oneAtATime(
    (by: string) =>
      new Promise<string>((resolve, reject) => {
        begun.push({ by, end: resolve, fail: reject });
      }),
  );
  const ran = (): string[] => begun.map(({ by }) => by);
  const first = call('a');
  await settle();
  const [second, third] = [call('b'), call('c')];
  await settle();
  expect(ran()).toEqual(['a']);
  begun[0]?.fail(new Error('no connection'));
  await expect(first).rejects.toThrow('no connection');
  await settle();
  expect(ran()).toEqual(['a', 'b']);
  const fourth = call('d');
  begun[1]?.end('of b');
  expect(await Promise.all([second, third])).toEqual(['of b', 'of b']);
  await settle();
  expect(ran()).toEqual(['a', 'b', 'd']);
  begun[2]?.end('of d');
  expect(await fourth).toBe('of d');
});
