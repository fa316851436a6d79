import { describe, expect, test } from 'vitest';
import { figuresJson, volumeOf } from './figures.ts';
import type { DayOfPayments } from './figures.sql.ts';

const paid = (of: Partial<DayOfPayments>): DayOfPayments => ({
  day: '2026-03-02',
  currency: 'USD',
  currency_decimals: 2,
  amount_minor: 1_000n,
  orders: 1n,
  ...of,
});

describe('what was paid comes to', () => {
  test.each<[string, DayOfPayments[], [string, string, number][]]>([
    ['nothing where nobody paid', [], []],
    ['the sum of one currency', [paid({}), paid({ amount_minor: 1n, orders: 2n })], [['USD', '10.01', 3]]],
    [
      'one sum for each currency, by their names',
      [
        paid({}),
        paid({ currency: 'JPY', currency_decimals: 0, amount_minor: 500n }),
        paid({ currency: 'EUR' }),
      ],
      [
        ['EUR', '10.00', 1],
        ['JPY', '500', 1],
        ['USD', '10.00', 1],
      ],
    ],
    [
      'the finer of two precisions, where a currency has had two',
      [paid({ currency_decimals: 3, amount_minor: 5n }), paid({}), paid({ currency_decimals: 3 })],
      [['USD', '11.005', 3]],
    ],
    [
      'every digit of what no float holds',
      [paid({ amount_minor: 9_007_199_254_740_993n }), paid({ amount_minor: 1n })],
      [['USD', '90071992547409.94', 2]],
    ],
  ])('%s', (_what, payments, wanted) => {
    expect(volumeOf(payments).map(({ currency, amount, orders }) => [currency, amount, orders])).toEqual(
      wanted,
    );
  });
});

test('today, the month and thirty days are told apart by their dates, and conversion by what is paid now', () => {
  const created = [
    { day: '2026-03-02', status: 'paid', orders: 2n },
    { day: '2026-03-02', status: 'expired', orders: 1n },
    { day: '2026-03-01', status: 'pending', orders: 4n },
    { day: '2026-02-28', status: 'refunded', orders: 8n },
  ];
  const payments = [paid({}), paid({ day: '2026-03-01' }), paid({ day: '2026-02-28' })];
  const { volume, orders, series } = figuresJson({ today: '2026-03-02', created, paid: payments });
  expect(orders).toEqual({ today: { created: 3, paid: 2 }, month: { created: 7, paid: 2 } });
  expect([volume.today[0]?.amount, volume.month[0]?.amount]).toEqual(['10.00', '20.00']);
  expect(series).toHaveLength(30);
  expect(series.slice(-3).map(({ day, created: made }) => [day, made])).toEqual([
    ['2026-02-28', 8],
    ['2026-03-01', 4],
    ['2026-03-02', 3],
  ]);
});
