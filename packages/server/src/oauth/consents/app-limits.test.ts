import { expect, test } from 'vitest';
import { exceededLimit, limitText, readLimit } from './app-limits.ts';

test.each([
  ['', null],
  [' 12 ', 1_200_000_000n],
  ['0', 0n],
  ['0.00000001', 1n],
  ['1234567.5', 123_456_750_000_000n],
])('D-234 the limit "%s" is %s in smallest units', (text, limit) => {
  expect(readLimit('max_per_day', text)).toBe(limit);
  expect(limitText(limit)).toBe(text.trim());
});

test.each([
  ['12,50', 1_250_000_000n],
  ['١٢٫٥', 1_250_000_000n],
  ['１２', 1_200_000_000n],
])('D-1038 a limit typed as "%s" is %s in smallest units', (text, limit) => {
  expect(readLimit('max_per_day', text)).toBe(limit);
});

test.each(['-1', '1,500', '1.123456789', '.5', '1e3', 'all', '123456789012345678901'])(
  'D-234 "%s" is no limit',
  (text) => {
    expect(() => readLimit('max_per_day', text)).toThrow(
      expect.objectContaining({ code: 'invalid_request' }),
    );
  },
);

test.each([
  [null, null, 9n, 9n, null],
  [5n, null, 5n, 99n, null],
  [5n, null, 6n, 0n, 'max_per_payment'],
  [null, 10n, 4n, 6n, null],
  [null, 10n, 5n, 6n, 'max_per_day'],
  [5n, 10n, 6n, 9n, 'max_per_payment'],
  [0n, null, 1n, 0n, 'max_per_payment'],
])(
  'D-234 limits %s and %s, a payment of %s after %s: %s',
  (max_per_payment, max_per_day, amount, spent, limit) => {
    expect(exceededLimit({ max_per_payment, max_per_day }, amount, spent)).toBe(limit);
  },
);
