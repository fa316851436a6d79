import { describe, expect, test } from 'vitest';
import {
  attemptIn,
  inTime,
  look,
  observations,
  overdue,
  type Sight,
} from '../../../test/support/desks/observations.ts';
import { deadline, sampleSession, t0 } from '../../../test/support/desks/samples.ts';
import { hours, later, minutes, seconds } from '../../base/time/clock.ts';
import { afterObservation } from './attempt-states.ts';
import type { AttemptState } from './attempt.ts';
import type { Observation } from './observation.ts';

const session = sampleSession();

test.each([
  ['paid a minute ago', minutes(1), minutes(1)],
  ['after ten minutes', minutes(10), minutes(5)],
  ['after two hours', hours(2), hours(1)],
  ['after two weeks', hours(336), hours(1)],
])(
  'D-262 an asynchronous payment, %s: after half its age, within a minute and an hour',
  (_, age_ms, wait_ms) => {
    const now = later(t0, age_ms);
    for (const seen of ['processing', 'open', 'failed_lookup'] as const) {
      expect(look(attemptIn('processing'), observations[seen], now).check_at).toEqual(later(now, wait_ms));
    }
  },
);

describe('when an attempt is looked at next', () => {
  const inOneMinute = (now: Date): Date => later(now, minutes(1));

  test.each<[string, AttemptState, Sight, Date, Date]>([
    ['an open session that passed it: each minute', 'open', 'open', overdue, inOneMinute(overdue)],
    ['a session closed early: at the deadline, for its order', 'open', 'closed', inTime, deadline],
    ['a payment failed early: at the deadline', 'processing', 'failed', inTime, deadline],
    ['a session closed after it: each minute', 'open', 'closed', overdue, inOneMinute(overdue)],
    ['D-092 an unclear creation: each minute', 'creating', 'unclear', inTime, inOneMinute(inTime)],
    [
      'D-092 an unclear creation less than a minute before the deadline: at the deadline',
      'creating',
      'unclear',
      later(deadline, -seconds(20)),
      deadline,
    ],
    ['D-092 a retry that was refused: each minute', 'unknown', 'refused', inTime, inOneMinute(inTime)],
    ['R-187 a look-up that failed: each minute', 'open', 'failed_lookup', overdue, inOneMinute(overdue)],
    [
      'D-093 nothing found after the deadline: a minute apart',
      'unknown',
      'none',
      overdue,
      inOneMinute(overdue),
    ],
  ])('%s', (_, state, seen, now, check_at) => {
    expect(look(attemptIn(state), observations[seen], now).check_at).toEqual(check_at);
  });

  test('a look-up takes no attempt from the request that holds it', () => {
    const lease_until = later(inTime, seconds(10));
    for (const state of ['creating', 'unknown'] as const) {
      for (const seen of ['none', 'failed_lookup'] as const) {
        expect(look({ ...attemptIn(state), lease_until }, observations[seen], inTime).lease_until).toEqual(
          lease_until,
        );
      }
    }
  });

  test.each<[string, number, number | null]>([
    ['just ended', 0, minutes(1)],
    ['after 59 min 59 s', minutes(60) - seconds(1), minutes(1)],
    ['after an hour', hours(1), hours(1)],
    ['after 47 h', hours(47), hours(1)],
    ['a moment before 48 h', hours(48) - 1, hours(1)],
    ['after 48 h', hours(48), null],
    ['after a week', hours(168), null],
  ])('D-111 an ended session, %s', (_, age_ms, wait_ms) => {
    for (const state of ['closed', 'failed', 'absent'] as const) {
      for (const seen of ['closed', 'none', 'failed_lookup', 'open'] as const) {
        const now = later(overdue, age_ms);
        const attempt = { ...attemptIn(state), closed_at: overdue };
        const expected = wait_ms === null ? null : later(now, wait_ms);
        expect(look(attempt, observations[seen], now).check_at).toEqual(expected);
      }
    }
  });

  test('D-111 from its end a session is looked at 60 times within the hour, and hourly until 48 h', () => {
    let attempt = look(attemptIn('open'), observations.closed, overdue);
    const at: number[] = [];
    while (attempt.check_at !== null) {
      at.push((attempt.check_at.getTime() - overdue.getTime()) / 60_000);
      attempt = look(attempt, observations.closed, attempt.check_at);
    }
    expect(at.slice(0, 60)).toEqual(Array.from({ length: 60 }, (_, i) => i + 1));
    expect(at.slice(60)).toEqual(Array.from({ length: 47 }, (_, i) => 60 * (i + 2)));
  });
});

test.each<[string, AttemptState, Sight, Date, Date]>([
  [
    'an open session, ten minutes old: after the longest wait',
    'creating',
    'open',
    inTime,
    later(inTime, minutes(4)),
  ],
  [
    'an open session whose deadline is near: at the deadline',
    'open',
    'open',
    later(deadline, -seconds(20)),
    deadline,
  ],
  [
    'an open session that could not be looked up: as if it were open',
    'open',
    'failed_lookup',
    inTime,
    later(inTime, minutes(4)),
  ],
])('D-103 %s', (_, state, seen, now, check_at) => {
  expect(look(attemptIn(state), observations[seen], now).check_at).toEqual(check_at);
});

test('D-103 an open session is asked about soon, then ever more rarely, and never more than five minutes apart', () => {
  const far = later(t0, hours(2));
  let attempt = afterObservation(attemptIn('creating'), observations.open, far, t0);
  const at: number[] = [];
  while (attempt.check_at !== null && attempt.check_at < far) {
    at.push((attempt.check_at.getTime() - t0.getTime()) / 60_000);
    attempt = afterObservation(attempt, observations.open, far, attempt.check_at);
  }
  expect(at.slice(0, 8)).toEqual([1, 2, 3, 4.5, 6.75, 10.125, 14.125, 18.125]);
  expect(at.filter((minute) => minute > 10 && minute <= 20)).toHaveLength(3);
  expect(Math.max(...at.map((minute, i) => minute - (at[i - 1] ?? 0)))).toBeLessThan(5);
  expect(attempt.check_at).toEqual(far);
});

test('D-111 what disagrees is asked about until it is paid, for two days after its session', () => {
  const waiting = { ...attemptIn('mismatch'), session_expires_at: deadline };
  const next = (now: Date, seen: Observation = observations.mismatch) => look(waiting, seen, now).check_at;
  expect(next(later(t0, minutes(5)))).toEqual(later(t0, minutes(6)));
  expect(next(later(t0, hours(3)))).toEqual(later(t0, hours(4)));
  expect(next(later(deadline, hours(48)))).toBeNull();
  const paid = { ...observations.mismatch, session: { ...session, paid: true } };
  expect(next(later(t0, minutes(5)), paid)).toBeNull();
});

test.each(['voided', 'returned'] as const)(
  'T7 an attempt that was %s in time is looked at again at the deadline: its order has yet to expire',
  (kind) => {
    const ended = look(attemptIn('mismatch'), { kind, why: 'ca_1' }, inTime);
    expect(ended).toMatchObject({ state: 'closed', check_at: deadline });
  },
);
