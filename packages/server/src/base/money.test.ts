import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { divideHalfUp, formatMinor, maxMinor, parseDecimal, sameAmount, toMinor } from './money.ts';

/** The minor units of a text: null if it has too many decimals, undefined if it is not an amount. */
function minorOf(text: string, decimals: number): bigint | null | undefined {
  const value = parseDecimal(text);
  return value === null ? undefined : toMinor(value, decimals);
}

const usd = 2;
const jpy = 0;
const kwd = 3;
const ptk = 8;

describe('R-087 the grammar of amounts', () => {
  test.each([
    '',
    '.',
    '.5',
    '1.',
    '1.2.3',
    '1.0.0',
    '+1',
    '-1',
    '-0',
    ' 1',
    '1 ',
    '1\n',
    '\n1',
    '1\n2',
    '1,000',
    '1,0',
    '1_000',
    '$1',
    '1USD',
    '1e2',
    '1E2',
    '0x10',
    '0x1',
    '0b1',
    'NaN',
    'Infinity',
    '１２',
    '١٢',
    '1·5',
    '1。5',
    '1\u00005',
    '1\u200b',
  ])('%j is no amount', (text) => {
    expect(parseDecimal(text)).toBeNull();
  });

  test.each([
    ['0', 0n, 0],
    ['10', 10n, 0],
    ['10.50', 1_050n, 2],
    ['007.50', 750n, 2],
    [`10.${'0'.repeat(61)}`, 10n * 10n ** 61n, 61],
    ['9'.repeat(64), 10n ** 64n - 1n, 0],
  ])('%s is read exactly', (text, digits, scale) => {
    expect(parseDecimal(text)).toEqual({ digits, scale });
  });
});

describe('appendix C: minor units by precision', () => {
  test.each<[string, number, bigint | null, string]>([
    ['10', usd, 1_000n, 'R-099'],
    ['10.0', usd, 1_000n, 'R-099'],
    ['10.00', usd, 1_000n, 'R-099'],
    ['10.000000', usd, 1_000n, 'R-093'],
    ['0010.00', usd, 1_000n, 'R-091'],
    ['007.50', usd, 750n, 'R-091'],
    ['0.01', usd, 1n, 'smallest'],
    ['1.1000', usd, 110n, 'R-093'],
    ['1.005', usd, null, 'R-092'],
    ['1.001', usd, null, 'R-092'],
    ['0.001', usd, null, 'R-092'],
    ['1.0010', usd, null, 'R-092'],
    ['100', jpy, 100n, 'R-093'],
    ['100.0', jpy, 100n, 'R-093'],
    ['100.00', jpy, 100n, 'R-093'],
    ['100.5', jpy, null, 'R-092'],
    ['1.234', kwd, 1_234n, 'R-093'],
    ['1.2340', kwd, 1_234n, 'R-093'],
    ['1.2345', kwd, null, 'R-092'],
    ['1', ptk, 100_000_000n, 'R-093'],
    ['0.00000001', ptk, 1n, 'smallest'],
    ['0.000000001', ptk, null, 'R-092'],
    ['90071992.54740991', ptk, maxMinor, 'D-039 the largest'],
    ['90071992.54740992', ptk, maxMinor + 1n, 'D-039 one more is exact too'],
    ['90071992547409.91', usd, maxMinor, 'R-055 beyond what a double adds up'],
    ['90071992547409.92', usd, maxMinor + 1n, 'R-055'],
  ])('%s at %i decimals is %s minor (%s)', (text, decimals, minor) => {
    expect(minorOf(text, decimals)).toBe(minor);
  });
});

describe('R-024 an amount is written with exactly its decimals', () => {
  test.each<[bigint, number, string]>([
    [1_000n, usd, '10.00'],
    [1n, usd, '0.01'],
    [10n, usd, '0.10'],
    [0n, usd, '0.00'],
    [1_000n, jpy, '1000'],
    [0n, jpy, '0'],
    [1_234n, kwd, '1.234'],
    [1_000n, kwd, '1.000'],
    [100_000_000n, ptk, '1.00000000'],
    [1_000n, ptk, '0.00001000'],
    [maxMinor, ptk, '90071992.54740991'],
    [-5n, usd, '-0.05'],
    [-1_234n, jpy, '-1234'],
  ])('%s at %i decimals is %s', (minor, decimals, text) => {
    expect(formatMinor(minor, decimals)).toBe(text);
  });
});

const anyMinor = fc.bigInt({ min: 0n, max: maxMinor });
const anyDecimals = fc.integer({ min: 0, max: 8 });

test('R-082 what is written is read as the same number, at every precision', () => {
  fc.assert(
    fc.property(anyMinor, anyDecimals, (minor, decimals) => {
      expect(minorOf(formatMinor(minor, decimals), decimals)).toBe(minor);
    }),
  );
});

test('R-093 R-099 redundant zeros on either side never change an amount', () => {
  fc.assert(
    fc.property(anyMinor, anyDecimals, fc.nat(12), fc.nat(12), (minor, decimals, before, after) => {
      const written = formatMinor(minor, decimals);
      const padded = `${'0'.repeat(before)}${written}${written.includes('.') ? '' : '.0'}${'0'.repeat(after)}`;
      const value = parseDecimal(padded);
      expect(value === null ? null : toMinor(value, decimals)).toBe(minor);
      expect(value !== null && sameAmount(value, minor, decimals)).toBe(true);
    }),
  );
});

test.each([
  ['10.00', 1_000n, usd, true],
  ['10', 1_000n, usd, true],
  ['10.01', 1_000n, usd, false],
  ['10.001', 1_000n, usd, false],
  ['1000', 1_000n, jpy, true],
  ['1000.4', 1_000n, jpy, false],
])(
  'D-028 a retry with %s for %s minor at %i decimals: the same amount is %s',
  (text, minor, decimals, same) => {
    const value = parseDecimal(text);
    expect(value !== null && sameAmount(value, minor, decimals)).toBe(same);
  },
);

test.each([
  [0n, 7n, 0n],
  [1n, 2n, 1n],
  [1n, 3n, 0n],
  [2n, 3n, 1n],
  [249n, 100n, 2n],
  [250n, 100n, 3n],
  [10n ** 40n + 5n, 10n, 10n ** 39n + 1n],
])('D-058 %s / %s rounds half up to %s', (numerator, denominator, quotient) => {
  expect(divideHalfUp(numerator, denominator)).toBe(quotient);
});
