import { expect, test } from 'vitest';
import { createLanes, untilNoneDue } from './channel-slots.ts';

/** Work that ends when it is told to. */
function work(): { run: () => Promise<void>; end: () => void } {
  let end = (): void => undefined;
  const ended = new Promise<void>((resolve) => {
    end = resolve;
  });
  return { run: () => ended, end };
}

test('R-193 a channel whose provider hangs fills its own lane, and tells when it takes more again', async () => {
  let told = 0;
  const lanes = createLanes(() => told++, 2);
  const hanging = [work(), work(), work()];
  for (const { run } of hanging) lanes.run('ch_hangs', run);
  lanes.run('ch_works', () => Promise.resolve());
  expect(lanes.full()).toEqual(['ch_hangs']);

  hanging[0]?.end();
  await Promise.resolve();
  expect([lanes.full(), told]).toEqual([['ch_hangs'], 0]);
  hanging[1]?.end();
  hanging[2]?.end();
  await lanes.idle();
  expect([lanes.full(), told]).toEqual([[], 1]);
});

test('what becomes due while work is under way is begun as well, and all of it is waited for', async () => {
  const due = [3, 2, 0];
  let ended = 0;
  const done = await untilNoneDue((lanes) => {
    const count = due.shift() ?? 0;
    for (let i = 0; i < count; i++) {
      lanes.run('ch', async () => {
        await new Promise(setImmediate);
        ended++;
      });
    }
    return Promise.resolve(count);
  });
  expect([done, ended, due]).toEqual([5, 5, []]);
});
