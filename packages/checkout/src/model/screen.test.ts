import { describe, expect, test } from 'vitest';
import { buyer, card, ptk, viewOf } from '../../test/support/views.ts';
import { isSelectable, obstacleOf, previewedMethod, screenOf } from './screen.ts';

const attempt = (state: string) => ({ state, method_id: 'm_card' });

describe('the screen of a state', () => {
  test.each([
    ['pending', null, 'choose'],
    ['pending', attempt('creating'), 'unresolved'],
    ['pending', attempt('unknown'), 'unresolved'],
    ['pending', attempt('open'), 'resume'],
    ['pending', attempt('processing'), 'processing'],
    ['pending', attempt('failed'), 'attempt_ended'],
    ['pending', attempt('closed'), 'attempt_ended'],
    ['pending', attempt('absent'), 'attempt_ended'],
    ['pending', attempt('mismatch'), 'checking'],
    ['pending', attempt('paid'), 'checking'],
    ['pending', attempt('something new'), 'checking'],
    ['review', attempt('open'), 'review'],
    ['review', attempt('unknown'), 'review'],
    ['review', attempt('mismatch'), 'review'],
    ['review', attempt('processing'), 'processing'],
    ['paid', attempt('paid'), 'paid'],
    ['paid', null, 'paid'],
    ['expired', null, 'expired'],
    ['expired', attempt('closed'), 'expired'],
    ['expired', attempt('failed'), 'attempt_ended'],
    ['refunded', attempt('paid'), 'refunded'],
    ['chargeback', attempt('paid'), 'chargeback'],
    ['partially_paid', attempt('paid'), 'checking'],
  ])('R-202 D-1457 %s with %o shows %s', (status, attempt_, kind) => {
    expect(screenOf(viewOf({ status, attempt: attempt_ })).kind).toBe(kind);
  });

  test('a payment after the deadline is a payment', () => {
    expect(screenOf(viewOf({ status: 'paid', attempt: attempt('paid_late') }))).toEqual({
      kind: 'paid',
      late: true,
    });
  });

  test('without a method that the buyer could use there is none to choose', () => {
    const methods = [{ ...card, usable: false, unusable_reason: 'channel_unavailable' }];
    expect(screenOf(viewOf({ methods })).kind).toBe('no_method');
  });
});

describe('what stands in the way of a method', () => {
  const unusable = (unusable_reason: string) => ({ ...ptk, usable: false, unusable_reason });
  test.each([
    ['R-212 a method with sign-in for a guest', ptk, null, { kind: 'login_required' }],
    ['R-212 the server says so', unusable('login_required'), buyer, { kind: 'login_required' }],
    ['R-214 the own order', unusable('self_payment_not_allowed'), buyer, { kind: 'self_payment' }],
    [
      'R-215 a balance below the total',
      ptk,
      { ...buyer, ptk_available: '144.28571428' },
      { kind: 'insufficient_balance', missing: '0.00000001' },
    ],
    ['R-215 a balance equal to the total', ptk, { ...buyer, ptk_available: '144.28571429' }, null],
    ['R-215 a balance that has grown since', unusable('insufficient_balance'), buyer, null],
    [
      'R-218 a test channel without grant',
      unusable('payment_debug_access_denied'),
      buyer,
      { kind: 'unavailable', reason: 'payment_debug_access_denied' },
    ],
    ['R-213 a card for a guest', card, null, null],
  ])('%s', (_name, method, who, obstacle) => {
    expect(obstacleOf(method, who)).toEqual(obstacle);
  });

  test('a method stays selectable where the buyer can clear the way', () => {
    expect(isSelectable(unusable('insufficient_balance'))).toBe(true);
    expect(isSelectable(unusable('channel_unavailable'))).toBe(false);
  });
});

describe('the previewed method', () => {
  test.each([
    ['a guest sees the first that needs no sign-in', [ptk, card], null, card],
    ['a buyer with enough PTK sees the first', [ptk, card], buyer, ptk],
    ['a buyer with too little sees the next', [ptk, card], { ...buyer, ptk_available: '1' }, card],
    ['a guest who has to sign in for each chooses', [ptk, { ...card, login_required: true }], null, null],
  ])('R-198 %s', (_, methods, who, shown) => {
    expect(previewedMethod(viewOf({ methods, buyer: who }), null)).toBe(shown);
  });

  test('R-207 the only method is shown at once', () => {
    expect(previewedMethod(viewOf({ methods: [card] }), null)).toBe(card);
  });

  test('R-211 an id that is not of this order is like none', () => {
    expect(previewedMethod(viewOf(), 'pc_platform_card')).toBe(card);
  });

  test('R-200 a started attempt locks the preview to its method', () => {
    expect(previewedMethod(viewOf({ attempt: attempt('open') }), 'm_ptk')).toBe(card);
  });

  test('a method that cannot be used is not previewed', () => {
    const off = { ...ptk, usable: false, unusable_reason: 'channel_unavailable' };
    const other = { ...card, method_id: 'm_card_2' };
    expect(previewedMethod(viewOf({ methods: [card, other, off] }), 'm_ptk')).toBe(card);
  });
});
