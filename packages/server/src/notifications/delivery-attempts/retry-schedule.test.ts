import { expect, test } from 'vitest';
import { later, minutes, seconds } from '../../base/time/clock.ts';
import { type DeliveryAttemptEnd, maxAutomaticAttempts, nextDeliveryAttempt } from './retry-schedule.ts';

const at = new Date('2026-01-02T03:04:05.678Z');
const failed = { delivery_status: 'failed', next_attempt_at: null };

test.each([
  [1, 60],
  [2, 300],
  [3, 900],
  [4, 1_800],
  [5, 3_600],
  [6, 7_200],
  [7, 14_400],
  [8, 21_600],
  [9, 28_800],
])('R-277 D-142 after failed attempt %i the next follows %i s after its end', (attempt, delay_s) => {
  expect(nextDeliveryAttempt({ end: 'failed', attempt, manual: false, at })).toEqual({
    delivery_status: 'pending',
    next_attempt_at: later(at, seconds(delay_s)),
  });
});

test.each<[string, DeliveryAttemptEnd, number, boolean, object]>([
  [
    'R-274 acknowledged at first',
    'acknowledged',
    1,
    false,
    { delivery_status: 'delivered', next_attempt_at: null },
  ],
  [
    'R-274 acknowledged at last',
    'acknowledged',
    10,
    false,
    { delivery_status: 'delivered', next_attempt_at: null },
  ],
  ['R-277 the tenth failed', 'failed', 10, false, failed],
  [
    'D-143 interrupted: due at once',
    'interrupted',
    1,
    false,
    { delivery_status: 'pending', next_attempt_at: at },
  ],
  [
    'D-143 the ninth interrupted',
    'interrupted',
    9,
    false,
    { delivery_status: 'pending', next_attempt_at: at },
  ],
  ['D-143 the tenth interrupted', 'interrupted', 10, false, failed],
  ['D-144 a manual one failed', 'failed', 11, true, failed],
  [
    'D-144 a manual one acknowledged',
    'acknowledged',
    12,
    true,
    { delivery_status: 'delivered', next_attempt_at: null },
  ],
  ['D-144 a manual one interrupted', 'interrupted', 11, true, failed],
  ['D-144 a manual one never enters the schedule', 'failed', 3, true, failed],
])('%s', (_, end, attempt, manual, expected) => {
  expect(nextDeliveryAttempt({ end, attempt, manual, at })).toEqual(expected);
});

test('R-277 ten automatic attempts within 21 h 51 min', () => {
  let now = at;
  let attempt = 0;
  for (;;) {
    attempt++;
    const next = nextDeliveryAttempt({ end: 'failed', attempt, manual: false, at: now });
    if (next.delivery_status !== 'pending') break;
    now = next.next_attempt_at;
  }
  expect([attempt, maxAutomaticAttempts]).toEqual([10, 10]);
  expect(now.getTime() - at.getTime()).toBe(minutes(21 * 60 + 51));
});
