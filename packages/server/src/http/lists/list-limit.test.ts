import { expect, test } from 'vitest';
import { readListLimit } from './list-limit.ts';

test.each<[string, string | string[] | undefined, number]>([
  ['absent', undefined, 20],
  ['empty', '', 20],
  ['the least', '1', 1],
  ['the most', '100', 100],
  ['leading zeros', '007', 7],
  ['below', '0', 20],
  ['above', '101', 20],
  ['negative', '-1', 20],
  ['a fraction', '1.5', 20],
  ['an exponent', '1e1', 20],
  ['white space', ' 5', 20],
  ['too many digits', '0005', 20],
  ['other digits', '٥', 20],
  ['a repeated parameter', ['5', '5'], 20],
])('R-293 D-155 %s', (_, value, limit) => {
  expect(readListLimit(value)).toBe(limit);
});
