import { expect, test } from 'vitest';
import { csvOf } from './csv.ts';

test.each([
  ['plain', 'plain'],
  ['a,b', '"a,b"'],
  ['say "hi"', '"say ""hi"""'],
  ['two\nlines', '"two\nlines"'],
  ['-10.50', '-10.50'],
  ['=HYPERLINK("https://evil.example")', `"'=HYPERLINK(""https://evil.example"")"`],
  ['+1', `'+1`],
  ['@cmd', `'@cmd`],
  ['-2+3', `'-2+3`],
])('a field of a CSV file cannot end its row or be a formula: %j', (text, written) => {
  expect(csvOf([[text]])).toBe(`${written}\r\n`);
});
