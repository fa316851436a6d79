import { expect, test } from 'vitest';
import { isCountedByCards } from './card-decimals.ts';

test.each([
  ['JPY', 0],
  ['KWD', 3],
  ['USD', 2],
  // These have no decimals, and the provider counts them with two.
  ['ISK', 2],
  ['UGX', 2],
])(
  'D-915 D-1276 the card provider counts %s with %i decimals, and cards pay it with no others',
  (currency, own) => {
    expect(
      [0, 2, 3].filter((currency_decimals) => isCountedByCards({ currency, currency_decimals })),
    ).toEqual([own]);
  },
);
