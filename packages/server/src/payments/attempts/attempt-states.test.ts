import { describe, expect, test } from 'vitest';
import {
  attemptIn,
  inTime,
  look,
  observations,
  overdue,
  type Sight,
} from '../../../test/support/desks/observations.ts';
import { deadline, sampleAttempt, sampleSession, t0 } from '../../../test/support/desks/samples.ts';
import { hours, later, minutes } from '../../base/time/clock.ts';
import type { PaymentCase } from '../cases/case.ts';
import type { AttemptState } from './attempt.ts';

const session = sampleSession();

/**
 * The next state of each state for each observation, by the table of section 3.2: written by hand, row by row. All other
 * observations change nothing: late answers overwrite nothing, and only a payment changes an attempt
 * that has ended.
 */
const table: Record<AttemptState, Record<Sight, AttemptState>> = {
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
  Object.entries(row).map(([seen, next]) => [state as AttemptState, seen as Sight, next] as const),
);

describe('section 3.2: every state and every observation', () => {
  test.each(pairs)('%s, seen %s, is then %s', (state, seen, next) => {
    for (const now of [inTime, overdue]) {
      expect(look(attemptIn(state), observations[seen], now).state).toBe(next);
    }
  });

  test('what an ended or final attempt recorded stays', () => {
    for (const state of ['paid', 'paid_late'] as const) {
      const attempt = attemptIn(state);
      for (const seen of Object.values(observations)) {
        expect(look(attempt, seen, overdue)).toEqual(attempt);
      }
    }
    const closed = look(attemptIn('closed'), observations.closed, overdue);
    expect(closed.closed_at).toEqual(inTime);
  });
});

describe('a payment', () => {
  test('R-182 D-112 takes its number and time from the provider, and needs no more look-ups', () => {
    const held = sampleAttempt({ state: 'open', lease_until: inTime, check_at: deadline });
    expect(look(held, observations.paid, overdue)).toMatchObject({
      state: 'paid',
      provider_trade_no: 'pi_1',
      paid_at: inTime,
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
    const moved = look(known, observations.open, inTime);
    expect([moved.session_id, moved.session_url]).toEqual(['cs_0', 'https://cards.example/pay/cs_0']);
  });
});

describe('the refusal of a creation', () => {
  test('R-203 of the first request: rejected, ended, never looked at again', () => {
    expect(look(attemptIn('creating'), observations.refused, inTime)).toMatchObject({
      state: 'rejected',
      closed_at: inTime,
      lease_until: null,
      check_at: null,
      detail: { last: 'refused: card_declined', at: inTime.toISOString() },
    });
  });

  test('R-204 D-092 of a request after an unclear one: unknown, whatever state it was claimed in', () => {
    const again = sampleAttempt({ state: 'creating', unclear_since: t0 });
    expect(look(again, observations.refused, inTime).state).toBe('unknown');
  });

  const absent = { kind: 'refused', why: 'too short', absent_since: t0 } as const;
  const unreached = { detail: { unreached: true }, unclear_since: t0 } as const;

  test.each([
    ['no request had an answer, and no session is found', unreached, absent, 'rejected'],
    ['a request had an answer', { unclear_since: t0 }, absent, 'unknown'],
    ['nothing was looked up', unreached, observations.refused, 'unknown'],
    ['another request was sent meanwhile', { ...unreached, unclear_since: inTime }, absent, 'unknown'],
  ] as const)('D-196 of a retry, where %s', (_, before, seen, state) => {
    expect(look(sampleAttempt({ state: 'unknown', ...before }), seen, inTime).state).toBe(state);
  });

  const failed = { kind: 'unclear', why: 'the connection was closed', unreached: true } as const;

  test.each([
    ['the first request fails before an answer', { state: 'creating' }, failed, true],
    ['a retry fails before an answer', { state: 'unknown', ...unreached }, failed, true],
    ['a retry is answered', { state: 'unknown', ...unreached }, observations.unclear, undefined],
    ['an earlier request was answered', { state: 'unknown', unclear_since: t0 }, failed, undefined],
    ['a look-up fails', { state: 'unknown', ...unreached }, observations.failed_lookup, true],
  ] as const)('D-196 an attempt notes whether no request was answered: %s', (_, before, seen, noted) => {
    expect(look(sampleAttempt(before), seen, inTime).detail.unreached).toBe(noted);
  });
});

describe('D-258 a session that was closed because the buyer wants another method', () => {
  const seen = { kind: 'withdrawn', session: sampleSession({ payment_id: 'pi_1' }) } as const;

  test.each(['open', 'closed'] as const)(
    'R-200 %s: unlocks the method, and is looked at for two days',
    (state) => {
      const after = look(attemptIn(state), seen, inTime);
      expect(after).toMatchObject({
        state: 'rejected',
        closed_at: inTime,
        unclear_since: null,
        provider_trade_no: null,
      });
      expect(after.check_at).toEqual(later(inTime, minutes(1)));
      expect(look(after, observations.closed, later(inTime, minutes(1))).check_at).toEqual(
        later(inTime, minutes(2)),
      );
      expect(look(after, observations.paid, inTime).state).toBe('paid_late');
    },
  );

  test('after the deadline stays closed, and nothing else is moved by it', () => {
    expect(look(attemptIn('open'), seen, overdue).state).toBe('closed');
    const others = ['paid', 'paid_late', 'failed', 'absent', 'rejected', 'mismatch'] as const;
    for (const state of others) expect(look(attemptIn(state), seen, inTime).state).toBe(state);
  });
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
    expect(look(attemptIn(state), seen, overdue).state).toBe(next);
  });

  test('a receipt that is accepted brings its own payment with it', () => {
    expect(look(attemptIn('mismatch'), accepted, overdue)).toMatchObject({
      provider_trade_no: 'pi_9',
      paid_at: t0,
      check_at: null,
    });
  });

  describe('D-082 the own session of an attempt that another has paid', () => {
    const ofTwin = { ...accepted, receipt: { ...receipt, session_id: 'cs_twin' } };
    const paid = look(attemptIn('processing'), ofTwin, overdue);

    test('is asked about', () => {
      expect(paid).toMatchObject({ state: 'paid', check_at: later(overdue, minutes(1)) });
      expect(look(attemptIn('processing'), accepted, overdue).check_at).toBeNull();
    });

    test.each([
      ['open', minutes(2)],
      ['processing', minutes(2)],
      ['failed_lookup', minutes(2)],
      ['closed', null],
      ['failed', null],
      ['paid', null],
    ] as const)('%s: again after %s ms', (kind, next) => {
      const now = later(overdue, minutes(1));
      const seen = look(paid, observations[kind], now);
      expect(seen).toMatchObject({ state: 'paid', provider_trade_no: 'pi_9', paid_at: t0 });
      expect(seen.check_at).toEqual(next === null ? null : later(overdue, next));
    });

    test('is not confused with another session, and look-ups end', () => {
      const other = { ...observations.closed, session: { ...session, id: 'cs_twin' } };
      expect(look(paid, other, overdue)).toBe(paid);
      expect(look(paid, observations.processing, later(overdue, hours(72))).check_at).toBeNull();
    });
  });
});
