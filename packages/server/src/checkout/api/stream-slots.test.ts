import { describe, expect, test } from 'vitest';
import { AppError } from '../../base/errors.ts';
import { createStreamSlots } from './stream-slots.ts';

const refusal = (work: () => unknown): unknown => {
  try {
    work();
  } catch (error) {
    if (error instanceof AppError) return [error.code, error.detail.retry_after_s];
    throw error;
  }
  return 'taken';
};

describe('event streams', () => {
  test('of one order are limited, whatever their addresses', () => {
    const slots = createStreamSlots({ per_order: 2, per_address: 10 });
    const first = slots.take('mp_1', 'a');
    slots.take('mp_1', 'b');
    expect(refusal(() => slots.take('mp_1', 'c'))).toEqual(['rate_limited', 20]);
    expect(refusal(() => slots.take('mp_2', 'c'))).toBe('taken');
    first();
    first();
    expect(refusal(() => slots.take('mp_1', 'c'))).toBe('taken');
    expect(refusal(() => slots.take('mp_1', 'c'))).toEqual(['rate_limited', 20]);
  });

  test('of one address are limited, whatever their orders; a refused one takes no place', () => {
    const slots = createStreamSlots({ per_order: 10, per_address: 2 });
    const ends = ['mp_1', 'mp_2'].map((order_no) => slots.take(order_no, 'a'));
    for (let i = 0; i < 20; i++) {
      expect(refusal(() => slots.take('mp_3', 'a'))).toEqual(['rate_limited', 20]);
    }
    expect(refusal(() => slots.take('mp_3', 'b'))).toBe('taken');
    for (const end of ends) end();
    expect(refusal(() => slots.take('mp_3', 'a'))).toBe('taken');
  });
});
