import { describe, expect, test } from 'vitest';
import { figuresJson, volumeOf } from './figures.ts';
import type { DayOfPayments } from './figures.sql.ts';
import type { DaySums } from './order-sums.sql.ts';

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
    ['nothing where no order is paid', [], []],
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
  const sums = (of: Partial<DaySums>): DaySums => ({
    ...{ day: '2026-03-02', currency: 'USD', currency_decimals: 2 },
    ...{ created: 0n, created_paid: 0n, paid: 1n, paid_minor: 1_000n },
    ...of,
  });
  const days = [
    sums({ created: 3n, created_paid: 2n }),
    sums({ currency: 'EUR', created: 1n, paid: 0n, paid_minor: 0n }),
    sums({ day: '2026-03-01', created: 4n }),
    sums({ day: '2026-02-28', created: 8n }),
  ];
  const { volume, orders, series } = figuresJson({ today: '2026-03-02', days });
  expect(orders).toEqual({ today: { created: 4, paid: 2 }, month: { created: 8, paid: 2 } });
  expect(volume).toMatchObject({ today: [{ amount: '10.00' }], month: [{ amount: '20.00', orders: 2 }] });
  expect(volume.today).toHaveLength(1);
  expect(series).toHaveLength(30);
  expect(series.slice(-3).map(({ day, created: made }) => [day, made])).toEqual([
    ['2026-02-28', 8],
    ['2026-03-01', 4],
    ['2026-03-02', 4],
  ]);
});
