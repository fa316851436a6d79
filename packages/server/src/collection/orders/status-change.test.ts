import { describe, expect, test } from 'vitest';
import { deadline, sampleOrder } from '../../../test/support/desks/samples.ts';
import { later } from '../../base/time/clock.ts';
import { InvariantError } from '../../base/errors.ts';
import type { OrderStatus } from './order.ts';
import { deadlineEvent, moved, type OrderEvent, transition } from './status-change.ts';

const statuses: OrderStatus[] = ['pending', 'paid', 'review', 'expired', 'refunded', 'chargeback'];
const events: OrderEvent[] = [
  'deadline',
  'deadline_with_attempt',
  'paid',
  'unpaid',
  'refunded',
  'charged_back',
];

/** Section 3.1, row by row; every pair that is not here is forbidden. */
const allowed: [row: string, from: OrderStatus, event: OrderEvent, to: OrderStatus][] = [
  ['T2 R-177', 'pending', 'deadline', 'expired'],
  ['T3 R-179', 'pending', 'deadline_with_attempt', 'review'],
  ['T4 T5 R-182', 'pending', 'paid', 'paid'],
  ['T6 R-183', 'review', 'paid', 'paid'],
  ['T7 T8 R-184 R-185', 'review', 'unpaid', 'expired'],
  ['T9 R-186', 'expired', 'paid', 'paid'],
  ['T10 D-077', 'paid', 'refunded', 'refunded'],
  ['T11 D-078', 'paid', 'charged_back', 'chargeback'],
];

describe('section 3.1', () => {
  test.each(allowed)('%s: %s on %s becomes %s, one version on (R-030, D-047)', (_, from, event, to) => {
    expect(transition(from, event)).toBe(to);
    const before = sampleOrder({ status: from, status_version: 7 });
    expect(moved(before, event)).toEqual({ ...before, status: to, status_version: 8 });
  });

  const forbidden = statuses
    .flatMap((from) => events.map((event) => [from, event] as const))
    .filter(([from, event]) => !allowed.some((row) => row[1] === from && row[2] === event));

  test('there are 36 pairs', () => {
    expect([allowed.length, forbidden.length]).toEqual([8, 28]);
  });

  test.each(forbidden)('%s on %s: forbidden', (from, event) => {
    expect(transition(from, event)).toBeNull();
    expect(() => moved(sampleOrder({ status: from }), event)).toThrow(InvariantError);
  });
});

test('D-049 the first change of a historical order leads from version 0 to 1', () => {
  expect(moved(sampleOrder({ status_version: 0 }), 'deadline').status_version).toBe(1);
});

describe('R-196 the deadline', () => {
  test.each<[string, number, boolean, OrderEvent | null]>([
    ['a moment before', -1, false, null],
    ['a moment before, with an attempt', -1, true, null],
    ['R-177 at it', 0, false, 'deadline'],
    ['R-179 at it, with an attempt', 0, true, 'deadline_with_attempt'],
    ['long after', 1e9, false, 'deadline'],
  ])('%s', (_, ms, attemptCounts, event) => {
    expect(deadlineEvent(sampleOrder(), attemptCounts, later(deadline, ms))).toBe(event);
  });

  test.each(statuses.filter((status) => status !== 'pending'))('moves nothing that is %s', (status) => {
    expect(deadlineEvent(sampleOrder({ status }), true, later(deadline, 1))).toBeNull();
  });
});
