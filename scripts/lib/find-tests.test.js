import { expect, test } from 'vitest';
import { findTests } from './find-tests.js';

const all = [
  { path: 'packages/server/src/payments/fee.test.ts', source: `test('R-101 a fee is rounded up', () => 0);` },
  {
    path: 'packages/server/test/scenarios/losses/refunds.test.ts',
    source: `describe('refunds', () => { test('R-100..R-102 gives the fee back', () => 0); test('T1', () => 0); });`,
  },
  { path: 'packages/server/test/crash/crash.test.ts', source: `test('R-101 R-7 loses nothing', () => 0);` },
];

const paths = (...asked) => findTests(asked, all).files.map((path) => path.split('/').at(-1));
const lines = (...asked) => findTests(asked, all).lines.join('\n');
const matches = (asked, name) => new RegExp(findTests([asked], all).pattern ?? '').test(name);

test('a requirement number finds the tests that cite it, also within a range', () => {
  expect(paths('R-101')).toEqual(['fee.test.ts', 'refunds.test.ts']);
  expect(paths('r-102')).toEqual(['refunds.test.ts']);
  expect(matches('R-101', 'refunds R-100..R-102 gives the fee back')).toBe(true);
  expect(matches('R-101', 'fees R-101 are rounded up')).toBe(true);
  expect(matches('R-101', 'fees R-1012 are something else')).toBe(false);
});

test('a file is found by its path, its name and its folder, and runs whole', () => {
  for (const asked of ['losses/refunds', 'refunds', 'scenarios', 'refunds.test.ts']) {
    expect([asked, paths(asked)]).toEqual([asked, ['refunds.test.ts']]);
    expect(findTests([asked], all).pattern).toBeUndefined();
  }
  expect(paths('refun')).toEqual(['refunds.test.ts']);
});

test('a word finds the tests that have it in their names, in upper or lower case', () => {
  expect(paths('Fee')).toEqual(['fee.test.ts', 'refunds.test.ts']);
  expect(paths('the fee')).toEqual(['refunds.test.ts']);
  expect(matches('THE fee', 'refunds R-100..R-102 gives the fee back')).toBe(true);
});

test('what takes minutes runs when it is named, or when nothing else is there', () => {
  expect(lines('R-101')).toContain('packages/server/test/crash/crash.test.ts');
  expect(paths('crash')).toEqual(['crash.test.ts']);
  expect(paths('R-7')).toEqual(['crash.test.ts']);
});

test('a file and a number together mean the tests of that number in that file', () => {
  expect(paths('refunds', 'R-101')).toEqual(['refunds.test.ts']);
  expect(paths('fee', 'payments', 'R-102')).toEqual([]);
  expect(paths('fee', 'refunds')).toEqual(['fee.test.ts', 'refunds.test.ts']);
});

test('says what it does not find', () => {
  expect([paths('R-103'), lines('R-103')]).toEqual([[], 'No test cites R-103.']);
  expect([paths('unheard'), lines('unheard')]).toEqual([[], expect.stringContaining('"unheard"')]);
});
