import { describe, expect, test } from 'vitest';
import { deadline, sampleAttempt, sampleSession, t0 } from '../../../test/support/samples.ts';
import { hours, later, minutes, seconds } from '../../base/time/clock.ts';
import {
  afterObservation,
  type Attempt,
  type AttemptState,
  counts,
  effectiveState,
  nextSeq,
  type Observation,
} from './attempt.ts';
import type { PaymentCase } from '../cases/case.ts';

const before = later(t0, minutes(10));
const after = later(deadline, minutes(10));
const session = sampleSession();

const observations = {
  paid: { kind: 'paid', session, trade_no: 'pi_1', occurred_at: before },
  processing: { kind: 'processing', session },
  open: { kind: 'open', session },
  closed: { kind: 'closed', session },
  failed: { kind: 'failed', session },
  mismatch: { kind: 'mismatch', session, why: 'amount', paid_at: null },
  refused: { kind: 'refused', why: 'card_declined' },
  unclear: { kind: 'unclear', why: 'timeout' },
  none: { kind: 'none' },
  failed_lookup: { kind: 'failed_lookup', why: 'timeout' },
} as const satisfies Record<string, Observation>;

type Seen = keyof typeof observations;

/** An attempt as it stands in a state: with what every way into that state has left on it. */
function attemptIn(state: AttemptState): Attempt {
  const known = { session_id: 'cs_1', session_url: session.url };
  const ended = { closed_at: before };
  const byState: Record<AttemptState, Partial<Attempt>> = {
    creating: { lease_until: before },
    unknown: { unclear_since: before },
    open: known,
    processing: known,
    closed: { ...known, ...ended },
    failed: { ...known, ...ended },
    absent: { unclear_since: before, ...ended },
    rejected: ended,
    paid: { ...known, provider_trade_no: 'pi_0', paid_at: before },
    paid_late: { ...known, provider_trade_no: 'pi_0', paid_at: before },
    mismatch: known,
  };
  return sampleAttempt({ state, ...byState[state] });
}

/**
 * Where each state goes on each observation, by the table of section 3.2: written by hand, row by row. What the table
 * does not name changes nothing: late answers overwrite nothing, and nothing but a payment moves what
 * has ended.
 */
const table: Record<AttemptState, Record<Seen, AttemptState>> = {
  creating: {
    paid: 'paid',
    processing: 'processing',
    open: 'open',
    closed: 'closed',
    failed: 'failed',
    mismatch: 'mismatch',
    refused: 'rejected',
    unclear: 'unknown',
    none: 'creating',
    failed_lookup: 'creating',
  },
  unknown: {
    paid: 'paid',
    processing: 'processing',
    open: 'open',
    closed: 'closed',
    failed: 'failed',
    mismatch: 'mismatch',
    refused: 'unknown',
    unclear: 'unknown',
    none: 'unknown',
    failed_lookup: 'unknown',
  },
  open: {
    paid: 'paid',
    processing: 'processing',
    open: 'open',
    closed: 'closed',
    failed: 'failed',
    mismatch: 'mismatch',
    refused: 'open',
    unclear: 'open',
    none: 'open',
    failed_lookup: 'open',
  },
  processing: {
    paid: 'paid',
    processing: 'processing',
    open: 'processing',
    closed: 'closed',
    failed: 'failed',
    mismatch: 'mismatch',
    refused: 'processing',
    unclear: 'processing',
    none: 'processing',
    failed_lookup: 'processing',
  },
  closed: {
    paid: 'paid_late',
    processing: 'closed',
    open: 'closed',
    closed: 'closed',
    failed: 'closed',
    mismatch: 'mismatch',
    refused: 'closed',
    unclear: 'closed',
    none: 'closed',
    failed_lookup: 'closed',
  },
  failed: {
    paid: 'paid_late',
    processing: 'failed',
    open: 'failed',
    closed: 'failed',
    failed: 'failed',
    mismatch: 'mismatch',
    refused: 'failed',
    unclear: 'failed',
    none: 'failed',
    failed_lookup: 'failed',
  },
  absent: {
    paid: 'paid_late',
    processing: 'absent',
    open: 'absent',
    closed: 'absent',
    failed: 'absent',
    mismatch: 'mismatch',
    refused: 'absent',
    unclear: 'absent',
    none: 'absent',
    failed_lookup: 'absent',
  },
  rejected: {
    paid: 'paid_late',
    processing: 'rejected',
    open: 'rejected',
    closed: 'rejected',
    failed: 'rejected',
    mismatch: 'rejected',
    refused: 'rejected',
    unclear: 'rejected',
    none: 'rejected',
    failed_lookup: 'rejected',
  },
  paid: {
    paid: 'paid',
    processing: 'paid',
    open: 'paid',
    closed: 'paid',
    failed: 'paid',
    mismatch: 'paid',
    refused: 'paid',
    unclear: 'paid',
    none: 'paid',
    failed_lookup: 'paid',
  },
  paid_late: {
    paid: 'paid_late',
    processing: 'paid_late',
    open: 'paid_late',
    closed: 'paid_late',
    failed: 'paid_late',
    mismatch: 'paid_late',
    refused: 'paid_late',
    unclear: 'paid_late',
    none: 'paid_late',
    failed_lookup: 'paid_late',
  },
  mismatch: {
    paid: 'paid',
    processing: 'mismatch',
    open: 'mismatch',
    closed: 'mismatch',
    failed: 'mismatch',
    mismatch: 'mismatch',
    refused: 'mismatch',
    unclear: 'mismatch',
    none: 'mismatch',
    failed_lookup: 'mismatch',
  },
};

const pairs = Object.entries(table).flatMap(([state, row]) =>
  Object.entries(row).map(([seen, next]) => [state as AttemptState, seen as Seen, next] as const),
);

describe('section 3.2: every state and every observation', () => {
  test.each(pairs)('%s, seen %s, is then %s', (state, seen, next) => {
    for (const now of [before, after]) {
      expect(afterObservation(attemptIn(state), observations[seen], deadline, now).state).toBe(next);
    }
  });

  test('what an ended or final attempt recorded stays', () => {
    for (const state of ['paid', 'paid_late'] as const) {
      const attempt = attemptIn(state);
      for (const seen of Object.values(observations)) {
        expect(afterObservation(attempt, seen, deadline, after)).toEqual(attempt);
      }
    }
    const closed = afterObservation(attemptIn('closed'), observations.closed, deadline, after);
    expect(closed.closed_at).toEqual(before);
  });
});

const look = (attempt: Attempt, seen: Observation, now: Date): Attempt =>
  afterObservation(attempt, seen, deadline, now);

describe('a payment', () => {
  test('R-182 D-112 takes its number and time from the provider, and nothing is left to look at', () => {
    const held = sampleAttempt({ state: 'open', lease_until: before, check_at: deadline });
    expect(look(held, observations.paid, after)).toMatchObject({
      state: 'paid',
      provider_trade_no: 'pi_1',
      paid_at: before,
      session_id: 'cs_1',
      lease_until: null,
      check_at: null,
    });
  });

  test('D-108 a session once known is not overwritten', () => {
    const known = sampleAttempt({
      state: 'open',
      session_id: 'cs_0',
      session_url: 'https://cards.example/pay/cs_0',
    });
    const moved = look(known, observations.open, before);
    expect([moved.session_id, moved.session_url]).toEqual(['cs_0', 'https://cards.example/pay/cs_0']);
  });
});

describe('the refusal of a creation', () => {
  test('R-203 of the first request: rejected, ended, never looked at again', () => {
    expect(look(attemptIn('creating'), observations.refused, before)).toMatchObject({
      state: 'rejected',
      closed_at: before,
      lease_until: null,
      check_at: null,
      detail: { last: 'refused: card_declined', at: before.toISOString() },
    });
  });

  test('R-204 D-092 of a request after an unclear one: unknown, whatever state it was claimed in', () => {
    const again = sampleAttempt({ state: 'creating', unclear_since: t0 });
    expect(look(again, observations.refused, before).state).toBe('unknown');
  });
});

describe('when an attempt is looked at next', () => {
  const inOneMinute = (now: Date): Date => later(now, minutes(1));

  test.each<[string, AttemptState, Seen, Date, Date]>([
    ['an open session: at the deadline', 'creating', 'open', before, deadline],
    ['an open session that passed it: each minute', 'open', 'open', after, inOneMinute(after)],
    ['a payment under way: each minute', 'open', 'processing', before, inOneMinute(before)],
    ['a session closed early: at the deadline, for its order', 'open', 'closed', before, deadline],
    ['a payment failed early: at the deadline', 'processing', 'failed', before, deadline],
    ['a session closed after it: each minute', 'open', 'closed', after, inOneMinute(after)],
    ['D-092 an unclear creation: each minute', 'creating', 'unclear', before, inOneMinute(before)],
    [
      'D-092 an unclear creation less than a minute before the deadline: at the deadline',
      'creating',
      'unclear',
      later(deadline, -seconds(20)),
      deadline,
    ],
    ['D-092 a retry that was refused: each minute', 'unknown', 'refused', before, inOneMinute(before)],
    ['R-187 a look-up that failed: each minute', 'open', 'failed_lookup', after, inOneMinute(after)],
    ['D-093 nothing found after the deadline: a minute apart', 'unknown', 'none', after, inOneMinute(after)],
  ])('%s', (_, state, seen, now, check_at) => {
    expect(look(attemptIn(state), observations[seen], now).check_at).toEqual(check_at);
  });

  test('a look-up takes no attempt from the request that holds it', () => {
    const lease_until = later(before, seconds(10));
    for (const state of ['creating', 'unknown'] as const) {
      for (const seen of ['none', 'failed_lookup'] as const) {
        expect(look({ ...attemptIn(state), lease_until }, observations[seen], before).lease_until).toEqual(
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
        const now = later(after, age_ms);
        const attempt = { ...attemptIn(state), closed_at: after };
        const expected = wait_ms === null ? null : later(now, wait_ms);
        expect(look(attempt, observations[seen], now).check_at).toEqual(expected);
      }
    }
  });

  test('D-111 from its end a session is looked at 60 times within the hour, and hourly until 48 h', () => {
    let attempt = look(attemptIn('open'), observations.closed, after);
    const at: number[] = [];
    while (attempt.check_at !== null) {
      at.push((attempt.check_at.getTime() - after.getTime()) / 60_000);
      attempt = look(attempt, observations.closed, attempt.check_at);
    }
    expect(at.slice(0, 60)).toEqual(Array.from({ length: 60 }, (_, i) => i + 1));
    expect(at.slice(60)).toEqual(Array.from({ length: 47 }, (_, i) => 60 * (i + 2)));
  });
});

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
    ['nor does a failed look between two', 'unknown', [50, 'x80', 110]],
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

  test('a new request starts the count anew', () => {
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

describe('D-099 a creation whose lease ran out is unknown', () => {
  test.each<[AttemptState, Date | null, AttemptState]>([
    ['creating', later(t0, 1), 'creating'],
    ['creating', t0, 'unknown'],
    ['creating', null, 'unknown'],
    ['unknown', later(t0, 1), 'unknown'],
    ['open', null, 'open'],
  ])('%s until %s is %s', (state, lease_until, shown) => {
    expect(effectiveState({ state, lease_until }, t0)).toBe(shown);
  });
});

test('D-090 every attempt counts but a rejected one', () => {
  const counting = Object.keys(table).filter((state) => counts({ state: state as AttemptState }));
  expect(counting).toEqual(Object.keys(table).filter((state) => state !== 'rejected'));
});

test('section 3.2 the number of attempts rises after those refused', () => {
  expect([nextSeq([]), nextSeq([{ seq: 1 }]), nextSeq([{ seq: 3 }, { seq: 2 }, { seq: 1 }])]).toEqual([
    1, 2, 4,
  ]);
});

describe('what a person decides', () => {
  const receipt = { case_id: 'ca_1', session_id: 'cs_1' } as PaymentCase;
  const accepted = { kind: 'accepted', receipt, trade_no: 'pi_9', occurred_at: t0, why: 'ca_1' } as const;

  test.each([
    ['mismatch', accepted, 'paid'],
    ['closed', accepted, 'paid_late'],
    ['rejected', accepted, 'paid_late'],
    ['mismatch', { kind: 'voided', why: 'ca_1' }, 'closed'],
    ['mismatch', { kind: 'returned', why: 'ca_1' }, 'closed'],
    ['open', { kind: 'voided', why: 'ca_1' }, 'open'],
    ['rejected', { kind: 'returned', why: 'ca_1' }, 'rejected'],
    ['unknown', { kind: 'given_up', why: 'ca_1' }, 'absent'],
    ['creating', { kind: 'given_up', why: 'ca_1' }, 'absent'],
    ['open', { kind: 'given_up', why: 'ca_1' }, 'open'],
    ['mismatch', { kind: 'given_up', why: 'ca_1' }, 'mismatch'],
    ['mismatch', { kind: 'settled_by_case', session, why: 'ca_1' }, 'mismatch'],
  ] as const)('table 3.2 %s, %o: %s', (state, seen, next) => {
    expect(look(attemptIn(state), seen, after).state).toBe(next);
  });

  test('a receipt that is accepted brings its own payment with it', () => {
    expect(look(attemptIn('mismatch'), accepted, after)).toMatchObject({
      provider_trade_no: 'pi_9',
      paid_at: t0,
      check_at: null,
    });
  });

  describe('D-082 the own session of an attempt that another has paid', () => {
    const ofTwin = { ...accepted, receipt: { ...receipt, session_id: 'cs_twin' } };
    const paid = look(attemptIn('processing'), ofTwin, after);

    test('is asked about', () => {
      expect(paid).toMatchObject({ state: 'paid', check_at: later(after, minutes(1)) });
      expect(look(attemptIn('processing'), accepted, after).check_at).toBeNull();
    });

    test.each([
      ['open', minutes(2)],
      ['processing', minutes(2)],
      ['failed_lookup', minutes(2)],
      ['closed', null],
      ['failed', null],
      ['paid', null],
    ] as const)('%s: again after %s ms', (kind, next) => {
      const now = later(after, minutes(1));
      const seen = look(paid, observations[kind], now);
      expect(seen).toMatchObject({ state: 'paid', provider_trade_no: 'pi_9', paid_at: t0 });
      expect(seen.check_at).toEqual(next === null ? null : later(after, next));
    });

    test('is not taken for another session, nor asked about for ever', () => {
      const other = { ...observations.closed, session: { ...session, id: 'cs_twin' } };
      expect(look(paid, other, after)).toBe(paid);
      expect(look(paid, observations.processing, later(after, hours(72))).check_at).toBeNull();
    });
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
});

test.each(['voided', 'returned'] as const)(
  'T7 an attempt that was %s in time is looked at again at the deadline: its order has yet to expire',
  (kind) => {
    const ended = afterObservation(attemptIn('mismatch'), { kind, why: 'ca_1' }, deadline, before);
    expect(ended).toMatchObject({ state: 'closed', check_at: deadline });
  },
);
