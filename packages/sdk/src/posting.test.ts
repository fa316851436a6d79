import { describe, expect, test } from 'vitest';
import { decidePosting, isPaid, type OrderState, type PostingDecision, type StoredState } from './posting.ts';

const expected = { external_reference: 'SO-1', amount: '10', currency: 'USD' };
const order: OrderState = {
  external_reference: 'SO-1',
  amount: '10.00',
  currency: 'USD',
  status: 'paid',
  status_version: 2,
  test_mode: false,
  event_id: 'pe_1',
};
const unpaid = (status: string, status_version: number): OrderState => {
  const { event_id: _none, ...rest } = order;
  return { ...rest, status, status_version };
};
const posted: StoredState = { status_version: 2, posted_event_id: 'pe_1' };
const post: PostingDecision = { action: 'post', event_id: 'pe_1' };

describe('decidePosting', () => {
  test.each<[string, StoredState | undefined, OrderState, PostingDecision]>([
    ['a first paid is posted', undefined, order, post],
    ['paid after expired is posted', { status_version: 1, posted_event_id: null }, order, post],
    ['the same payment seen again is not posted again', posted, order, { action: 'ignore' }],
    [
      'a version stored without its posting is posted',
      { status_version: 2, posted_event_id: null },
      order,
      post,
    ],
    ['an older state never overwrites a newer one', posted, unpaid('expired', 1), { action: 'ignore' }],
    [
      'a refund is recorded and posts nothing',
      posted,
      { ...order, status: 'refunded', status_version: 3 },
      { action: 'record' },
    ],
    [
      'a paid overtaken by its refund is not posted afterwards',
      { status_version: 3, posted_event_id: null },
      order,
      { action: 'ignore' },
    ],
    ['version 0 is a version', undefined, unpaid('pending', 0), { action: 'record' }],
    ['R-019 an unknown status is only recorded', undefined, unpaid('on_hold', 5), { action: 'record' }],
    [
      'paid without an event cannot be posted',
      undefined,
      unpaid('paid', 2),
      { action: 'mismatch', differences: ['event_id'] },
    ],
    [
      'a second event for one order is left to a person',
      posted,
      { ...order, event_id: 'pe_2', status_version: 3 },
      { action: 'mismatch', differences: ['event_id'] },
    ],
    [
      'a test payment is not taken for money',
      undefined,
      { ...order, test_mode: true },
      { action: 'mismatch', differences: ['test_mode'] },
    ],
    [
      'every difference is named',
      undefined,
      { ...order, external_reference: 'SO-2', amount: '100', currency: 'EUR' },
      { action: 'mismatch', differences: ['external_reference', 'amount', 'currency'] },
    ],
  ])('%s', (_name, stored, seen, decision) => {
    expect(decidePosting(stored, seen, expected)).toEqual(decision);
  });

  test('a test payment is posted where the merchant says so', () => {
    const decision = decidePosting(undefined, { ...order, test_mode: true }, expected, {
      accept_test_mode: true,
    });
    expect(decision).toEqual(post);
  });

  test('R-099 an own amount that is no decimal string never matches', () => {
    const decision = decidePosting(undefined, { ...order, amount: 'x' }, { ...expected, amount: 'x' });
    expect(decision).toEqual({ action: 'mismatch', differences: ['amount'] });
  });
});

test.each(['pending', 'review', 'expired', 'refunded', 'chargeback', 'PAID', 'paid_late'])(
  '%s is not paid',
  (status) => {
    expect(isPaid({ status })).toBe(false);
  },
);
