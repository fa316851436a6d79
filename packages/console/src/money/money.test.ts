import { describe, expect, test } from 'vitest';
import { exactJson } from '../api/exact-json.ts';
import { decimalText, signedText } from '../texts/format.ts';
import { decimalOf, minorOf, ptkText } from './money.ts';

describe('amounts of every size are exact', () => {
  test.each([
    [0n, 2, '0.00'],
    [5n, 2, '0.05'],
    [-1_050n, 2, '-10.50'],
    [123n, 0, '123'],
    [90_071_992_547_409_931_234_567_890n, 8, '900719925474099312.34567890'],
  ])('%s with %s decimals is %s, and back', (minor, decimals, text) => {
    expect(decimalOf(minor, decimals)).toBe(text);
    expect(minorOf(text, decimals)).toBe(minor);
  });

  test.each([
    ['1.234', 2],
    ['1e3', 2],
    ['', 2],
    ['.5', 2],
    ['1,000', 2],
    ['0.1', 0],
  ])('%j is no amount with %s decimals', (text, decimals) => {
    expect(minorOf(text, decimals)).toBeNull();
  });

  test.each([
    ['0', '0'],
    ['999.10', '999.10'],
    ['1234567.891', '1,234,567.891'],
    ['-12345', '−12,345'],
  ])('%s is shown as %s', (plain, shown) => {
    expect(decimalText(plain)).toBe(shown);
  });

  test.each([
    [0n, '0.00'],
    [150_000_000n, '1.50'],
    [100_000_001n, '1.00000001'],
    [123_456_789_012_300n, '1,234,567.890123'],
  ])('D-283 %s of the eighth decimal are %s PTK, trimmed and never rounded', (minor, shown) => {
    expect(ptkText(minor)).toBe(shown);
  });

  test.each([
    ['185.40', '+185.40'],
    ['-185.40', '−185.40'],
    ['0.00', '0.00'],
  ])('D-282 as a change, %s is shown as %s', (plain, shown) => {
    expect(signedText(plain)).toBe(shown);
  });
});

test.each([
  ['{"a":9007199254740991}', '{"a":9007199254740991}'],
  ['{"a":9007199254740993}', '{"a":"9007199254740993"}'],
  ['[-12345678901234567890,1]', '["-12345678901234567890",1]'],
  [
    '{"a":"12345678901234567890 \\" 12345678901234567890"}',
    '{"a":"12345678901234567890 \\" 12345678901234567890"}',
  ],
  ['{"a":1234567890.1234567890123}', '{"a":1234567890.1234567890123}'],
])('numbers that a browser would round are read as texts: %s', (sent, read) => {
  expect(exactJson(sent)).toBe(read);
});
