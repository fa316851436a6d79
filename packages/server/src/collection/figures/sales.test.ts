import { describe, expect, test } from 'vitest';
import { daysBefore, salesJson, unpaidReason } from './sales.ts';

describe('D-332 the days before a range', () => {
  test.each([
    ['2026-03-02', '2026-03-02', '2026-03-01', '2026-03-01'],
    ['2026-03-01', '2026-03-07', '2026-02-22', '2026-02-28'],
    // A day of 23 hours, a leap day, and the turn of a year.
    ['2026-03-29', '2026-03-30', '2026-03-27', '2026-03-28'],
    ['2028-03-01', '2028-03-01', '2028-02-29', '2028-02-29'],
    ['2027-01-01', '2027-01-31', '2026-12-01', '2026-12-31'],
  ])('%s to %s: %s to %s', (from, until, first, last) => {
    expect(daysBefore({ from, until })).toEqual({ from: first, until: last });
  });
});

describe('D-331 an attempt ended unpaid', () => {
  test.each<[string, string | null, boolean, string | null]>([
    ['closed', 'expired_card', false, 'expired_card'],
    ['closed', 'a word of tomorrow', false, 'declined'],
    ['closed', null, false, 'abandoned'],
    ['failed', null, false, 'declined'],
    ['rejected', null, true, 'method_changed'],
    ['rejected', 'insufficient_funds', true, 'insufficient_funds'],
    ['rejected', null, false, 'provider_refused'],
    ['absent', null, false, 'provider_refused'],
    ['mismatch', null, false, 'in_review'],
    ['open', null, false, null],
    ['processing', null, false, null],
    ['paid', 'expired_card', false, null],
    ['paid_late', null, false, null],
  ])('%s, declined: %s, with a page: %s: %s', (state, declined, had_page, reason) => {
    expect(unpaidReason({ state, declined, had_page })).toBe(reason);
  });
});

test('D-332 amounts are added up exactly, each in its currency, and the days before apart', () => {
  const payment = {
    ...{ day: '2026-03-02', currency: 'USD', currency_decimals: 2 },
    ...{ created: 0n, created_paid: 0n, paid: 1n },
  };
  const { period, before } = salesJson({
    days: { from: '2026-03-02', until: '2026-03-03' },
    progress: [],
    endings: [],
    payments: [
      { ...payment, paid_minor: 9_007_199_254_740_993n },
      { ...payment, day: '2026-03-03', paid_minor: 1n },
      { ...payment, currency: 'JPY', currency_decimals: 0, paid_minor: 700n },
      { ...payment, day: '2026-03-01', paid_minor: 5n },
    ],
  });
  expect(period.volume.map(({ currency, amount }) => [currency, amount])).toEqual([
    ['JPY', '700'],
    ['USD', '90071992547409.94'],
  ]);
  expect(before.volume).toEqual([{ currency: 'USD', amount: '0.05', orders: 1 }]);
});
