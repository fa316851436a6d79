import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { fundsAfter, type LossFunds, type LossShares, splitLoss } from './split-loss.ts';

const of = (frozen: bigint, held: bigint, guarantee: bigint, available: bigint): LossFunds => ({
  frozen,
  held,
  guarantee,
  available,
});
const shares = (
  ...[frozen, held, guarantee, available, recovery]: [bigint, bigint, bigint, bigint, bigint]
): LossShares => ({ frozen, held, guarantee, available, recovery });

describe('R-139 D-074 a loss runs down', () => {
  test.each<[string, bigint, LossFunds, LossShares]>([
    ['nothing is taken of nothing', 0n, of(1n, 1n, 1n, 1n), shares(0n, 0n, 0n, 0n, 0n)],
    ['frozen funds first', 5n, of(9n, 9n, 9n, 9n), shares(5n, 0n, 0n, 0n, 0n)],
    ['all of them', 9n, of(9n, 9n, 9n, 9n), shares(9n, 0n, 0n, 0n, 0n)],
    ['held funds next', 10n, of(9n, 9n, 9n, 9n), shares(9n, 1n, 0n, 0n, 0n)],
    ['then the guarantee', 20n, of(9n, 9n, 9n, 9n), shares(9n, 9n, 2n, 0n, 0n)],
    ['then what is available', 28n, of(9n, 9n, 9n, 9n), shares(9n, 9n, 9n, 1n, 0n)],
    ['to the last unit', 36n, of(9n, 9n, 9n, 9n), shares(9n, 9n, 9n, 9n, 0n)],
    ['the rest is owed', 37n, of(9n, 9n, 9n, 9n), shares(9n, 9n, 9n, 9n, 1n)],
    ['all of it where there is nothing', 7n, of(0n, 0n, 0n, 0n), shares(0n, 0n, 0n, 0n, 7n)],
    [
      'section 3.7: USD 10.60 at 0.10, net 97.4 frozen, 5 and 2 PTK beside it',
      10_600_000_000n,
      of(9_740_000_000n, 0n, 500_000_000n, 200_000_000n),
      shares(9_740_000_000n, 0n, 500_000_000n, 200_000_000n, 160_000_000n),
    ],
  ])('%s', (_, loss, funds, expected) => {
    expect(splitLoss(loss, funds)).toEqual(expected);
  });

  const amount = fc.bigInt({ min: 0n, max: 10n ** 30n });
  const funds = fc.record({ frozen: amount, held: amount, guarantee: amount, available: amount });
  const order = ['frozen', 'held', 'guarantee', 'available'] as const;

  test('the shares come to the loss, none exceeds its fund, and none is touched before the last is used up', () => {
    fc.assert(
      fc.property(amount, funds, (loss, given) => {
        const taken = splitLoss(loss, given);
        const left = fundsAfter(given, taken);
        const sum = order.reduce((total, fund) => total + taken[fund], taken.recovery);
        expect(sum).toBe(loss);
        let isUsedUp = true;
        for (const fund of order) {
          expect(taken[fund] >= 0n && left[fund] >= 0n).toBe(true);
          if (taken[fund] > 0n) expect(isUsedUp).toBe(true);
          isUsedUp &&= left[fund] === 0n;
        }
        if (taken.recovery > 0n) expect(isUsedUp).toBe(true);
        expect(taken.recovery >= 0n).toBe(true);
      }),
    );
  });

  test('two losses one after the other take what one of both would', () => {
    fc.assert(
      fc.property(amount, amount, funds, (first, second, given) => {
        const one = splitLoss(first, given);
        const two = splitLoss(second, fundsAfter(given, one));
        const both = splitLoss(first + second, given);
        for (const fund of [...order, 'recovery'] as const) expect(one[fund] + two[fund]).toBe(both[fund]);
      }),
    );
  });
});
