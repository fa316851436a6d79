import { expect, test } from 'vitest';
import { createChannelSlots, createPace, runUntilNoneDue } from './channel-slots.ts';

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

test('R-193 work of one channel starts no more often than its pace allows; other channels do not wait', async () => {
  let now = 0;
  const waits: number[] = [];
  const pace = createPace(
    20,
    () => now,
    (ms) => Promise.resolve(waits.push(ms)),
  );
  for (const of of ['a', 'a', 'b', 'a']) await pace.turn(of);
  expect(waits).toEqual([50, 100]);
  now = 1_000;
  await pace.turn('a');
  expect(waits).toHaveLength(2);

  const started: string[] = [];
  const slots = createChannelSlots(undefined, 9, pace);
  for (const name of ['first', 'second']) slots.run('a', () => Promise.resolve(void started.push(name)));
  await slots.idle();
  expect([started, waits.length]).toEqual([['first', 'second'], 4]);
});
