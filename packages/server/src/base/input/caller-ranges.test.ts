import { describe, expect, test } from 'vitest';
import { checkRanges, isInRanges } from './caller-ranges.ts';

describe('address ranges', () => {
  test.each([
    [[], '192.0.2.7', true],
    [['192.0.2.0/24'], '192.0.2.7', true],
    [['192.0.2.0/24'], '192.0.3.7', false],
    [['192.0.2.7/32'], '::ffff:192.0.2.7', true],
    [['::ffff:192.0.2.0/120'], '192.0.2.7', true],
    [['::ffff:192.0.2.0/120'], '192.0.3.7', false],
    [['2001:db8::7/128'], '2001:db8::7', true],
    [['2001:db8::7/128'], '2001:db8::8', false],
    [['0.0.0.0/0'], '2001:db8::8', false],
    [['::/0'], '192.0.2.7', false],
    [['10.0.0.0/8', '192.0.2.0/24'], '192.0.2.7', true],
    [['0.0.0.0/0', '::/0'], 'unknown', false],
  ])('%j: an address %s is in them: %s', (ranges, address, isIn) => {
    expect(isInRanges(ranges, address)).toBe(isIn);
  });

  test.each([
    '',
    'anywhere',
    '192.0.2.7',
    '192.0.2.0/33',
    '010.0.0.0/8',
    '0x0a.0.0.0/8',
    '10/8',
    '300.0.2.0/24',
    '2001:db8::/129',
    '192.0.2.0/24 ',
  ])('%j is refused, naming the field', (text) => {
    expect(() => checkRanges('allowed_cidrs', ['10.0.0.0/8', text])).toThrow(
      expect.objectContaining({
        code: 'invalid_request',
        detail: expect.objectContaining({ field: 'allowed_cidrs' }) as unknown,
      }),
    );
  });

  test('duplicates are removed', () => {
    expect(checkRanges('allowed_cidrs', ['10.0.0.0/8', '10.0.0.0/8'])).toEqual(['10.0.0.0/8']);
  });
});
