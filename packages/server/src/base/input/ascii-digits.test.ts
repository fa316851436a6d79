import { expect, test } from 'vitest';
import { asciiDigits } from './ascii-digits.ts';

test.each([
  ['١٢٫٥٠', '12٫50'],
  ['۱۲٫۵۰', '12٫50'],
  ['１２．５０', '12.50'],
  ['１２，５', '12,5'],
  ['１２３－４５６', '123-456'],
])('D-1038 %j is %j', (typed, plain) => {
  expect(asciiDigits(typed)).toBe(plain);
});

test.each(['1²0', '5½', '①', '1٬000'])('D-1062 %j is no other number', (typed) => {
  expect(asciiDigits(typed)).toBe(typed);
});
