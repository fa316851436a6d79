import { expect, test } from 'vitest';
import { csvOf, withoutApostrophes } from './csv.ts';

test.each([
  ['plain', '"plain"'],
  ['a,b', '"a,b"'],
  ['say "hi"', '"say ""hi"""'],
  ['two\nlines', '"two\nlines"'],
  ['-10.50', '"-10.50"'],
  ['=HYPERLINK("https://evil.example")', `"'=HYPERLINK(""https://evil.example"")"`],
  ['+1', `"'+1"`],
  ['@cmd', `"'@cmd"`],
  ['-2+3', `"'-2+3"`],
  ['a;=1+1', `"a;'=1+1"`],
  ['two\n=lines', `"two\n'=lines"`],
  ['＝1+1', `"'＝1+1"`],
  ["'=1+1", `"''=1+1"`],
  ["''=1+1", `"'''=1+1"`],
  ["a;'=1+1", `"a;''=1+1"`],
  ["'a'", `"'a'"`],
])(
  'D-1069 D-1110 a field of a CSV file cannot end its row or be a formula, and is read back: %j',
  (text, written) => {
    expect(csvOf([[text]])).toBe(`\ufeff${written}\r\n`);
    expect(withoutApostrophes(written.slice(1, -1).replaceAll('""', '"'))).toBe(text);
  },
);
