import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { post } from '../../ledger/books/index.ts';
import { releaseEntries } from './release-entry.ts';

const merchant_id = '01890a5d-ac96-774b-bcce-b302099a8057';
const amount = fc.bigInt(0n, 10n ** 24n);

/** An amount for each order that has something under hold, by its number. */
const some = (amounts: readonly bigint[]): Map<string, bigint> =>
  new Map(amounts.map((held, i) => [`mp_${i}`, held]));

describe('P3 the releases of several orders', () => {
  test('D-667, D-073 share the debt as releases one after the other do: the first repay first', () => {
    fc.assert(
      fc.property(fc.array(amount, { maxLength: 30 }), amount, (amounts, recovery) => {
        const held = some(amounts);
        const numbers = [...held.keys()];
        const together = releaseEntries(merchant_id, numbers, { held, recovery });
        let owed = recovery;
        const alone = numbers.flatMap((order_no) => {
          const [entry] = releaseEntries(merchant_id, [order_no], { held, recovery: owed });
          // What this release has taken off the debt is gone for the next one.
          owed -= entry?.transfers.find(({ credit }) => credit.name === 'm:recovery')?.amount ?? 0n;
          return entry ?? [];
        });
        expect(together).toEqual(alone);

        const sumTo = (name: string): bigint =>
          together
            .flatMap(({ transfers }) => transfers)
            .filter(({ credit }) => credit.name === name)
            .reduce((sum, transfer) => sum + transfer.amount, 0n);
        const all = amounts.reduce((sum, one) => sum + one, 0n);
        const repaid = all < recovery ? all : recovery;
        expect([sumTo('m:recovery'), sumTo('m:available')]).toEqual([repaid, all - repaid]);
        // Nobody's proceeds become available while the debt is not repaid.
        const available = together.map(({ transfers: [, rest] }) => (rest?.amount ?? 0n) > 0n);
        const repaying = together.map(({ transfers: [debt] }) => (debt?.amount ?? 0n) > 0n);
        if (available.includes(true)) {
          expect(repaying.lastIndexOf(true)).toBeLessThanOrEqual(available.indexOf(true));
        }
      }),
    );
  });

  test('D-667 are as many writes as two releases, however many there are', () => {
    const writesOf = (count: number): number => {
      const held = some(Array.from({ length: count }, () => 5n));
      return post(releaseEntries(merchant_id, [...held.keys()], { held, recovery: 6n }), new Date(0)).book
        .length;
    };
    // Transfers, what was under hold, what is available, what is owed.
    expect([writesOf(2), writesOf(25)]).toEqual([4, 4]);
  });

  test('of an order that has nothing under hold moves nothing', () => {
    const funds = { held: some([]), recovery: 3n };
    expect(post(releaseEntries(merchant_id, ['mp_0'], funds), new Date(0)).book).toEqual([]);
  });
});
