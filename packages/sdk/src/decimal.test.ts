import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { sameAmount } from './decimal.ts';

describe('sameAmount', () => {
  test.each([
    ['10', '10.00', true],
    ['010.0', '10', true],
    ['0', '0.000', true],
    ['100', '10', false],
    ['1.1', '1.01', false],
    ['0.1', '0.10000000000000000001', false],
    ['90071992547409.91', '90071992547409.92', false],
    ['9007199254740993', '9007199254740992', false],
  ])('R-099 %s and %s: %s', (a, b, same) => {
    expect(sameAmount(a, b)).toBe(same);
    expect(sameAmount(b, a)).toBe(same);
  });

  test.each(['', '.5', '1.', '+1', '-1', ' 1', '1e2', '1,000', 'NaN', '１'])(
    '%j is no amount and is never compared',
    (text) => {
      expect(() => sameAmount(text, '1')).toThrow(TypeError);
      expect(() => sameAmount('1', text)).toThrow(TypeError);
    },
  );

  test('a number is no amount: it may already be rounded', () => {
    expect(() => sameAmount(10 as unknown as string, '10')).toThrow(TypeError);
  });

  test('agrees with exact integer arithmetic on any two decimals', () => {
    const decimal = fc.record({ units: fc.bigInt(0n, 10n ** 6n), places: fc.nat(8), zeros: fc.nat(3) });
    const text = ({ units, places, zeros }: { units: bigint; places: number; zeros: number }) => {
      const digits = units.toString().padStart(places + 1, '0');
      const whole = digits.slice(0, digits.length - places);
      const fraction = digits.slice(digits.length - places) + '0'.repeat(zeros);
      return fraction === '' ? whole : `${whole}.${fraction}`;
    };
    const scaled = ({ units, places }: { units: bigint; places: number }) =>
      units * 10n ** BigInt(8 - places);
    fc.assert(
      fc.property(decimal, decimal, (a, b) => {
        expect(sameAmount(text(a), text(b))).toBe(scaled(a) === scaled(b));
      }),
    );
  });
});
