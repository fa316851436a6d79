import { pino } from 'pino';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createWatchdog } from './watchdog.ts';

const lines: { level: number; msg: string }[] = [];
const log = pino(
  {},
  {
    write: (line: string) => {
      lines.push(JSON.parse(line) as { level: number; msg: string });
    },
  },
);

beforeEach(() => {
  lines.length = 0;
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

test('H-24 work that does not end is named and told once, and told again when it has ended', async () => {
  const watchdog = createWatchdog({ name: 'sweep', log, longest_ms: 60_000 });
  const end = watchdog.begin();
  await vi.advanceTimersByTimeAsync(60_000);
  watchdog.look();
  expect([watchdog.stuck(), lines]).toEqual([[], []]);
  await vi.advanceTimersByTimeAsync(1);
  watchdog.look();
  watchdog.look();
  expect(watchdog.stuck()).toEqual(['sweep']);
  expect(lines).toMatchObject([
    { level: 50, job: 'sweep', msg: 'a background pass does not end: restart this process' },
  ]);
  end();
  watchdog.look();
  expect(watchdog.stuck()).toEqual([]);
  expect(lines).toMatchObject([{}, { level: 40, msg: 'a background pass that did not end has ended' }]);
});
