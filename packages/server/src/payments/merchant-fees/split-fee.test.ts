import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { sampleReservation } from '../../../test/support/desks/samples.ts';
import { type FeeFunds, splitReturnedFee, splitFee, splitOwedFee } from './split-fee.ts';

const funds = (available_ptk: bigint, credit_limit_ptk = 0n, credit_drawn_ptk = 0n): FeeFunds => ({
  available_ptk,
  credit_limit_ptk,
  credit_drawn_ptk,
});

const amount = fc.bigInt({ min: 0n, max: 10n ** 20n });
const anyFunds: fc.Arbitrary<FeeFunds> = fc.record({
  available_ptk: amount,
  credit_limit_ptk: amount,
  credit_drawn_ptk: amount,
});
const freeOf = ({ credit_limit_ptk, credit_drawn_ptk }: FeeFunds): bigint =>
  credit_limit_ptk > credit_drawn_ptk ? credit_limit_ptk - credit_drawn_ptk : 0n;

describe('R-132 D-069 raising a fee', () => {
  test.each<[string, FeeFunds, [bigint, bigint] | null]>([
    ['the wallet covers it exactly', funds(10n), [10n, 0n]],
    ['the wallet comes first, whatever the credit', funds(50n, 100n), [10n, 0n]],
    ['one unit short, one of credit', funds(9n, 1n), [9n, 1n]],
    ['one unit short, no credit', funds(9n), null],
    ['credit alone, used up exactly', funds(0n, 15n, 5n), [0n, 10n]],
    ['credit one unit short', funds(0n, 15n, 6n), null],
    ['a limit cut below what is drawn gives nothing, and takes nothing', funds(10n, 5n, 50n), [10n, 0n]],
    ['and it does not count against the wallet', funds(9n, 5n, 50n), null],
  ])('%s', (_, given, parts) => {
    const [available_ptk, credit_ptk] = parts ?? [];
    expect(splitFee(10n, given)).toEqual(parts === null ? null : { available_ptk, credit_ptk });
  });

  test('never takes more than there is, leaves no residue, and fails only where both together fall short', () => {
    fc.assert(
      fc.property(amount, anyFunds, (fee, given) => {
        const parts = splitFee(fee, given);
        if (parts === null) return fee > given.available_ptk + freeOf(given);
        return (
          parts.available_ptk + parts.credit_ptk === fee &&
          parts.available_ptk <= given.available_ptk &&
          parts.credit_ptk <= freeOf(given) &&
          (parts.credit_ptk === 0n || parts.available_ptk === given.available_ptk)
        );
      }),
    );
  });
});

describe('D-070 giving a fee back', () => {
  test.each<[string, bigint, [bigint, bigint]]>([
    ['restores the split', 4n, [6n, 4n]],
    ['leaves credit alone that others drew', 100n, [6n, 4n]],
    ['returns to the wallet what was repaid meanwhile', 1n, [9n, 1n]],
    ['returns all to the wallet once the credit is repaid', 0n, [10n, 0n]],
  ])('%s', (_, drawn, [available_ptk, credit_ptk]) => {
    expect(splitReturnedFee(sampleReservation(), drawn)).toEqual({ available_ptk, credit_ptk });
  });

  test('gives back all of it, and repays no more than is drawn', () => {
    fc.assert(
      fc.property(amount, amount, amount, (available_ptk, credit_ptk, drawn) => {
        const back = splitReturnedFee({ available_ptk, credit_ptk }, drawn);
        return (
          back.available_ptk + back.credit_ptk === available_ptk + credit_ptk &&
          back.available_ptk >= available_ptk &&
          back.credit_ptk >= 0n &&
          back.credit_ptk <= drawn
        );
      }),
    );
  });
});

describe('D-072 a fee that is owed in any case', () => {
  test.each<[string, FeeFunds, [bigint, bigint, bigint]]>([
    ['comes out of the wallet', funds(10n, 10n), [10n, 0n, 0n]],
    ['then out of the credit line', funds(3n, 9n, 2n), [3n, 7n, 0n]],
    ['and the rest is debt', funds(3n, 4n, 2n), [3n, 2n, 5n]],
    ['all of it where there is nothing', funds(0n, 1n, 5n), [0n, 0n, 10n]],
  ])('%s', (_, given, [available_ptk, credit_ptk, recovery_ptk]) => {
    expect(splitOwedFee(10n, given)).toEqual({ available_ptk, credit_ptk, recovery_ptk });
  });

  test('is raised as a reservation would be, and makes debt only of what that could not', () => {
    fc.assert(
      fc.property(amount, anyFunds, (fee, given) => {
        const { recovery_ptk, ...parts } = splitOwedFee(fee, given);
        expect(parts.available_ptk + parts.credit_ptk + recovery_ptk).toBe(fee);
        const raised = splitFee(fee, given);
        if (raised !== null) expect({ ...parts, recovery_ptk }).toEqual({ ...raised, recovery_ptk: 0n });
        else expect([parts.available_ptk, parts.credit_ptk]).toEqual([given.available_ptk, freeOf(given)]);
      }),
    );
  });
});
