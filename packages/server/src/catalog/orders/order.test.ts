import { describe, expect, test } from 'vitest';
import { merchant_id } from '../../../test/support/desks/samples.ts';
import {
  type CatalogEvent,
  type CatalogOrder,
  type CatalogState,
  deadlineEvent,
  lineOf,
  moved,
  paymentStatusOf,
  statusOf,
  transition,
} from './order.ts';
import { orderJson, plainTime } from './order-json.ts';

const t0 = new Date('2026-01-02T03:04:05.678Z');
const later = new Date('2026-01-02T03:34:05.678Z');

const sample = (change: Partial<CatalogOrder> = {}): CatalogOrder => ({
  ...{ merchant_id, order_no: 'co_1', user_id: 'u', client_id: 'c', gd_no: 'gd_1', title: 'Gift card' },
  ...{ quantity: 2, other_ipu: {}, currency: 'JPY', currency_decimals: 0 },
  ...{ total_amount: 200n, discount_amount: 20n, handling_amount: 3n, payment_methods: [] },
  ...{ payment_no: 'ch_ptk', payment_name: 'PTK', method_id: 'pm_1', test_mode: false },
  ...{ payment_currency: 'PTK', payment_decimals: 8, payment_subtotal: 1_200n, buyer_fee: 12n },
  ...{
    merchant_fee_ptk: 0n,
    settlement_ptk: 1_200n,
    price_e12: 1n,
    gross_settlement_ptk: 1_200n,
    hold_days: 0,
  },
  ...{
    state: 'pending',
    state_version: 1,
    reversed: null,
    created_at: t0,
    updated_at: t0,
    expires_at: later,
  },
  ...{ provider_trade_no: null, paid_at: null, fulfil_at: null, completed_at: null },
  ...{ delivery_note_box: null, made_again: false },
  ...change,
});

const states: CatalogState[] = ['pending', 'review', 'paid', 'completed', 'cancelled'];
const events: CatalogEvent[] = [
  'deadline',
  'deadline_with_attempt',
  'paid',
  'unpaid',
  'fulfilled',
  'refunded',
  'charged_back',
];

/** Table 3.5: everything that can happen, and nothing else. */
const table: Partial<Record<CatalogState, Partial<Record<CatalogEvent, CatalogState>>>> = {
  pending: { deadline: 'cancelled', deadline_with_attempt: 'review', paid: 'paid' },
  review: { paid: 'paid', unpaid: 'cancelled' },
  paid: { fulfilled: 'completed', refunded: 'cancelled', charged_back: 'cancelled' },
  completed: { refunded: 'completed', charged_back: 'completed' },
  cancelled: { paid: 'paid' },
};

describe('table 3.5, D-177 a catalog order', () => {
  test.each(states.flatMap((state) => events.map((event) => [state, event] as const)))(
    '%s, %s',
    (state, event) => {
      const order = sample({ state });
      const expected = table[state]?.[event] ?? null;
      expect(transition(order, event)).toBe(expected);
      if (expected === null) {
        expect(() => moved(order, event, later)).toThrow(`${event} does not move`);
        return;
      }
      const reversed = { refunded: 'refunded', charged_back: 'chargeback' }[event as string] ?? null;
      expect(moved(order, event, later)).toMatchObject({
        state: expected,
        state_version: 2,
        reversed,
        updated_at: later,
        fulfil_at: event === 'paid' ? later : null,
      });
    },
  );

  test.each(events)('whose payment went back is over: %s changes nothing', (event) => {
    for (const state of ['cancelled', 'completed'] as const) {
      expect(transition({ state, reversed: 'refunded' }, event)).toBeNull();
    }
  });

  test('D-024 the deadline takes effect at its very instant, and only while it is pending', () => {
    const before = new Date(later.getTime() - 1);
    expect(deadlineEvent(sample(), false, before)).toBeNull();
    expect(deadlineEvent(sample(), false, later)).toBe('deadline');
    expect(deadlineEvent(sample(), true, later)).toBe('deadline_with_attempt');
    expect(deadlineEvent(sample({ state: 'review' }), true, later)).toBeNull();
  });

  test('R-360 R-364 the numbers of order and payment', () => {
    expect(states.map((state) => [state, statusOf({ state }), paymentStatusOf({ state })])).toEqual([
      ['pending', 0, 0],
      ['review', 0, 0],
      ['paid', 1, 1],
      ['completed', 3, 1],
      ['cancelled', 2, 2],
    ]);
  });
});

test('D-181 D-182 amounts are times 10^8 whatever their precision, and the identities hold', () => {
  const shown = orderJson(sample(), '');
  expect(shown).toMatchObject({
    total_amount: 20_000_000_000n,
    discount_amount: 2_000_000_000n,
    handling_amount: 300_000_000n,
    pay_amount: 18_300_000_000n,
    payment_subtotal: 1_200n,
    payment_handling_amount: 12n,
    payment_pay_amount: 1_212n,
  });
  expect(shown.pay_amount).toBe(shown.total_amount - shown.discount_amount + shown.handling_amount);
});

test('D-186 times are UTC to the second; the provider’s page names how many', () => {
  expect(plainTime(t0)).toBe('2026-01-02 03:04:05');
  expect([lineOf(sample()), lineOf(sample({ quantity: 1 }))]).toEqual(['2 × Gift card', 'Gift card']);
});
