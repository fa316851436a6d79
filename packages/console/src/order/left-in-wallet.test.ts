import { expect, test } from 'vitest';
import { isReversed, resultOf, takenBack, wasTakenBack } from './left-in-wallet.ts';

test('D-490 a refund beyond the net leaves the difference to the merchant, with its sign', () => {
  const lines = [
    { change_ptk: '29890000000' },
    { change_ptk: '0' },
    { change_ptk: '-29890000000' },
    { change_ptk: '-2010000000' },
  ];
  expect(resultOf(lines)).toBe('-2010000000');
  expect(takenBack('29890000000', resultOf(lines))).toBe('31900000000');
  expect(resultOf([])).toBe('0');
});

test.each([
  ['paid', false],
  ['expired', false],
  ['refunded', true],
  ['chargeback', true],
])('D-490 the payment of an order that is %s was taken back: %s', (status, reversed) => {
  expect(isReversed(status)).toBe(reversed);
});

test.each([
  ['paid', [], false],
  ['paid', ['open'], false],
  ['paid', ['dismissed'], false],
  ['paid', ['dismissed', 'confirmed'], true],
  ['refunded', ['closed'], true],
])('D-1067 of an order that is %s with disputes %j, money was taken back: %s', (status, disputes, taken) => {
  expect(
    wasTakenBack(
      status,
      disputes.map((one) => ({ status: one })),
    ),
  ).toBe(taken);
});
