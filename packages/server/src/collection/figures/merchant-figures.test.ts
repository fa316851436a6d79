import { expect, test } from 'vitest';
import { merchantFigures } from './merchant-figures.ts';

const row = (currency: string, of: Partial<Parameters<typeof merchantFigures>[0][number]>) => ({
  ...{ currency, currency_decimals: currency === 'JPY' ? 0 : 2 },
  ...{ created: 0n, confirmed: 0n, charged_back: 0n, paid: 0n, paid_minor: 0n },
  ...of,
});

test('D-219 conversion counts confirmed payments, the loss rate those that were taken back, volume what is still paid', () => {
  expect(
    merchantFigures([
      row('USD', { created: 8n, confirmed: 6n, charged_back: 1n, paid: 4n, paid_minor: 10_050n }),
      row('EUR', { created: 1n }),
      row('JPY', { created: 1n, confirmed: 1n, paid: 1n, paid_minor: 700n }),
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
