import { describe, expect, test } from 'vitest';
import { t0 } from '../../../test/support/desks/samples.ts';
import { later } from '../../base/time/clock.ts';
import { type AttemptState, effectiveState, nextSeq } from './attempt.ts';
import { counts } from './method-lock.ts';

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
  const expected: Record<AttemptState, boolean> = {
    creating: true,
    open: true,
    unknown: true,
    processing: true,
    paid: true,
    paid_late: true,
    closed: true,
    failed: true,
    absent: true,
    rejected: false,
    mismatch: true,
  };
  const found = Object.keys(expected).map((state) => [state, counts({ state: state as AttemptState })]);
  expect(Object.fromEntries(found)).toEqual(expected);
});

test('section 3.2 the number of attempts rises after those refused', () => {
  expect([nextSeq([]), nextSeq([{ seq: 1 }]), nextSeq([{ seq: 3 }, { seq: 2 }, { seq: 1 }])]).toEqual([
    1, 2, 4,
  ]);
});
