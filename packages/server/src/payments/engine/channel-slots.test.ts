import { expect, test } from 'vitest';
import { createChannelSlots, runUntilNoneDue } from './channel-slots.ts';

/** Work that ends when it is told to. */
function work(): { run: () => Promise<void>; end: () => void } {
  let end = (): void => undefined;
  const ended = new Promise<void>((resolve) => {
    end = resolve;
  });
  return { run: () => ended, end };
}

test('R-193 a channel whose provider hangs fills its own slots, and tells when it takes more again', async () => {
  let told = 0;
  const slots = createChannelSlots(() => told++, 2);
  const hanging = [work(), work(), work()];
  for (const { run } of hanging) slots.run('ch_hangs', run);
  slots.run('ch_works', () => Promise.resolve());
  expect(slots.full()).toEqual(['ch_hangs']);

  hanging[0]?.end();
  await Promise.resolve();
  expect([slots.full(), told]).toEqual([['ch_hangs'], 0]);
  hanging[1]?.end();
  hanging[2]?.end();
  await slots.idle();
  expect([slots.full(), told]).toEqual([[], 1]);
});

test('what becomes due while work is under way is begun as well, and all of it is waited for', async () => {
  const due = [3, 2, 0];
  let ended = 0;
  const done = await runUntilNoneDue((slots) => {
    const count = due.shift() ?? 0;
    for (let i = 0; i < count; i++) {
      slots.run('ch', async () => {
        await new Promise(setImmediate);
        ended++;
      });
    }
    return Promise.resolve(count);
  });
  expect([done, ended, due]).toEqual([5, 5, []]);
});
