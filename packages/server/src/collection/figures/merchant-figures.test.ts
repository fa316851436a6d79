import { expect, test } from 'vitest';
import { merchantFigures, volumesInPtk } from './merchant-figures.ts';

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
      { currency: 'JPY', amount: '700', orders: 1 },
      { currency: 'USD', amount: '100.50', orders: 4 },
    ],
  });
  expect(merchantFigures([])).toMatchObject({ conversion: null, loss_rate: null, volume: [] });
});

test('D-1283 the volume of a currency is one sum, also where its decimals have changed', () => {
  const { volume } = merchantFigures([
    row('JPY', { paid: 1n, paid_minor: 700n }),
    { ...row('JPY', { paid: 2n, paid_minor: 30_050n }), currency_decimals: 2 },
  ]);
  expect(volume).toEqual([{ currency: 'JPY', amount: '1000.50', orders: 3 }]);
});

test('D-1036 to be compared, volumes are added up in PTK; what has no valid price does not count', () => {
  const now = new Date('2026-11-29T00:00:00Z');
  const of = (merchant_id: string, currency: string, paid_minor: bigint) => ({
    ...row(currency, { paid_minor }),
    merchant_id,
  });
  const rates = [
    { currency: 'USD', price_e12: 100_000_000_000n, valid_until: null },
    { currency: 'JPY', price_e12: 15_000_000_000_000n, valid_until: null },
    { currency: 'EUR', price_e12: 90_000_000_000n, valid_until: now },
  ];
  const rows = [
    of('a', 'USD', 10_00n),
    of('a', 'JPY', 150n),
    of('b', 'EUR', 900_00n),
    of('b', 'KWD', 900_00n),
  ];
  expect([...volumesInPtk(rows, rates, now)]).toEqual([['a', 110_00000000n]]);
});
