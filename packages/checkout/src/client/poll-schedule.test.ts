import { expect, test } from 'vitest';
import { pollDelay_ms } from './poll-schedule.ts';

test.each([
  [0, null, 3_000],
  [3, null, 3_000],
  [4, null, 3_750],
  [100, null, 30_000],
  [0, 17, 17_000],
  [100, 60, 60_000],
  [0, 1, 3_000],
])(
  'R-223 after %i quiet polls and Retry-After %s the next one waits %i ms',
  (quiet, retry_after_s, delay) => {
    expect(pollDelay_ms(quiet, retry_after_s)).toBe(delay);
  },
);
