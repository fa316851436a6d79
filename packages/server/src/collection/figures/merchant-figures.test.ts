import { expect, test } from 'vitest';
import { merchantFigures } from './merchant-figures.ts';

const row = (status: string, currency: string, orders: bigint, confirmed = 0n, amount_minor = 0n) => ({
  ...{ status, currency, currency_decimals: currency === 'JPY' ? 0 : 2, orders, confirmed, amount_minor },
});

test('D-219 conversion counts confirmed payments, the loss rate those that were taken back, volume what is still paid', () => {
  expect(
    merchantFigures([
      row('expired', 'USD', 3n),
      row('paid', 'USD', 4n, 4n, 10_050n),
      row('paid', 'JPY', 1n, 1n, 700n),
      row('refunded', 'USD', 1n, 1n, 900n),
      row('chargeback', 'USD', 1n, 1n, 900n),
    ]),
  ).toEqual({
    ...{ created: 10n, paid: 7n, charged_back: 1n, conversion: '0.7000', loss_rate: '0.1428' },
    volume: [
      { currency: 'JPY', amount: '700', orders: 1n },
      { currency: 'USD', amount: '100.50', orders: 4n },
    ],
  });
  expect(merchantFigures([])).toMatchObject({ conversion: null, loss_rate: null, volume: [] });
});
