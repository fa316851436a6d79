import { expect, test } from 'vitest';
import { type Cell, csvHead, csvLines, safeCell } from './csv.ts';

test.each<[cell: Cell, written: string]>([
  ['plain', 'plain'],
  ['=1+1', "'=1+1"],
  ['+49 30 1', "'+49 30 1"],
  ['-1+1', "'-1+1"],
  ['@SUM(A1)', "'@SUM(A1)"],
  ['\t=1', "\t'=1"],
  ['\r=1', "\r'=1"],
  ['\n=1', "\n'=1"],
  ['Shoes;=HYPERLINK("http://evil.example")', `Shoes;'=HYPERLINK("http://evil.example")`],
  ['a;+1;-1;@x', "a;'+1;'-1;'@x"],
  ['a\r\n=1\t=2', "a\r\n'=1\t'=2"],
  ['＝1', "'＝1"],
  ['a;b', 'a;b'],
  ['1;-5', "1;'-5"],
  ['-12.50', '-12.50'],
  ['-5', '-5'],
  ['--5', "'--5"],
  ["'=1", "''=1"],
  ["''=1", "'''=1"],
  ["a;'+1", "a;''+1"],
  ["'-5", "''-5"],
  ["'a'", "'a'"],
  ['a=1', 'a=1'],
  [9_007_199_254_740_993n, '9007199254740993'],
  [false, 'false'],
  [null, ''],
  [undefined, ''],
])('a cell is written so that no spreadsheet computes it, and numbers stay exact (%#)', (cell, written) => {
  expect(safeCell(cell)).toBe(written);
});

test('lines end and quote as RFC 4180 says', () => {
  const columns = ['a', ['b', ({ a }: { a: string }) => a.length]] as const;
  expect(csvHead(columns)).toBe('\ufeff"a","b"\r\n');
  expect(csvLines(columns, [{ a: 'x,"y"\nz' }, { a: '=A1' }])).toBe('"x,""y""\nz","7"\r\n"\'=A1","3"\r\n');
  expect(csvLines(columns, [])).toBe('');
});
