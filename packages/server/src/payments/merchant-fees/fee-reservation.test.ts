import { describe, expect, test } from 'vitest';
import { sampleQuote, sampleReservation, t0 } from '../../../test/support/desks/samples.ts';
import type { AttemptState } from '../attempts/attempt.ts';
import { afterFeeStep, type FeeReservationState, feeStep, feeToReserve } from './fee-reservation.ts';

test('R-132 D-050 only a method of the merchant’s own has a fee to raise', () => {
  expect(feeToReserve(sampleQuote({ owner: 'merchant' }))).toBe(260_000_000n);
  expect(feeToReserve(sampleQuote())).toBe(0n);
});

const allStates: readonly FeeReservationState[] = ['reserved', 'captured', 'released', 'captured_late'];
const running: readonly AttemptState[] = ['creating', 'open', 'unknown', 'processing', 'mismatch'];
const ended: readonly AttemptState[] = ['rejected', 'closed', 'failed', 'absent'];
const paid: readonly AttemptState[] = ['paid', 'paid_late'];

describe('section 3.4 R-140 D-071 what an attempt means for its fee', () => {
  test.each(running)('%s: it stays as it is', (state) => {
    for (const of of allStates) expect(feeStep(of, { state }, false)).toBeNull();
  });

  test.each(ended)('%s: given back, once', (state) => {
    const steps = allStates.map((of) => feeStep(of, { state }, false));
    expect(steps).toEqual(['release', null, null, null]);
  });

  test.each(paid)(
    '%s, and the order with it: taken, late where it was given back, and only once',
    (state) => {
      const steps = allStates.map((of) => feeStep(of, { state }, true));
      expect(steps).toEqual(['capture', null, 'capture_late', null]);
    },
  );

  test.each(paid)('%s, though another payment had settled the order: given back', (state) => {
    const steps = allStates.map((of) => feeStep(of, { state }, false));
    expect(steps).toEqual(['release', null, null, null]);
  });

  test('each step is dated', () => {
    expect(afterFeeStep(sampleReservation(), 'capture', t0)).toMatchObject({
      state: 'captured',
      captured_at: t0,
    });
    const released = afterFeeStep(sampleReservation(), 'release', t0);
    expect(released).toMatchObject({ state: 'released', released_at: t0, captured_at: null });
    expect(afterFeeStep(released, 'capture_late', t0)).toMatchObject({
      state: 'captured_late',
      released_at: t0,
      captured_at: t0,
    });
  });
});
