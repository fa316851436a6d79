import { describe, expect, test } from 'vitest';
import { look, observations } from '../../../test/support/desks/observations.ts';
import { deadline, sampleAttempt } from '../../../test/support/desks/samples.ts';
import { later, minutes, seconds } from '../../base/time/clock.ts';
import type { Attempt, AttemptState } from './attempt.ts';

describe('D-093 R-184 when the records prove that nothing was created', () => {
  const unknown = sampleAttempt({ state: 'unknown', unclear_since: later(deadline, -seconds(10)) });
  const clean = observations.none;
  const dead = deadline.getTime();

  /** Looks at seconds after the deadline, as numbers; `x` before one is a look-up that failed. */
  function outcome(attempt: Attempt, ...looks: (number | `x${number}`)[]): AttemptState {
    return looks.reduce<Attempt>((last, when) => {
      const failed = typeof when === 'string';
      const at = new Date(dead + seconds(Number(failed ? when.slice(1) : when)));
      return look(last, failed ? observations.failed_lookup : clean, at);
    }, attempt).state;
  }

  test.each<[string, AttemptState, (number | `x${number}`)[]]>([
    ['one clean look proves nothing', 'unknown', [200]],
    ['two, 60 s apart, 120 s after the last request', 'absent', [50, 110]],
    ['two, 59 s apart', 'unknown', [100, 159]],
    ['two, but 119 s after the last request', 'unknown', [0, 109]],
    ['a third when the time has come', 'absent', [0, 60, 110]],
    ['looks before the deadline do not count', 'unknown', [-120, -60, 120]],
    ['a failed look between two clean ones proves nothing', 'unknown', [50, 'x80', 110]],
    ['after which two more are needed', 'absent', [50, 'x80', 110, 170]],
    ['failed looks alone prove nothing', 'unknown', ['x50', 'x200', 'x400']],
  ])('%s: %s', (_, state, looks) => {
    expect(outcome(unknown, ...looks)).toBe(state);
  });

  test('a creation that died counts from when it began', () => {
    const died = sampleAttempt({ state: 'creating', created_at: later(deadline, -seconds(10)) });
    expect(outcome(died, 50, 109)).toBe('creating');
    expect(outcome(died, 50, 110)).toBe('absent');
  });

  test('a look whose answer is applied late counts from when the provider was asked', () => {
    const looked_at = later(deadline, seconds(200));
    const first = look(unknown, clean, looked_at);
    const late = { kind: 'none', looked_at } as const;
    expect(look(first, late, later(looked_at, seconds(90))).state).toBe('unknown');
    expect(look(first, clean, later(looked_at, seconds(90))).state).toBe('absent');
  });

  test('a new request restarts the count', () => {
    const looked = look(unknown, clean, later(deadline, seconds(50)));
    const asked = look(looked, observations.unclear, later(deadline, seconds(55)));
    expect(asked.detail.absent_at).toBeUndefined();
    expect(look(asked, clean, later(deadline, seconds(400))).state).toBe('unknown');
  });

  test('an absent attempt has an end and is followed like any other', () => {
    const now = later(deadline, seconds(300));
    const first = look(unknown, clean, later(now, -seconds(60)));
    expect(look(first, clean, now)).toMatchObject({
      state: 'absent',
      closed_at: now,
      check_at: later(now, minutes(1)),
    });
  });
});
