import { describe, expect, test } from 'vitest';
import { grantRows } from './grant-table.ts';

/** Named merchant × (named buyer, other buyer, guest), then any other merchant × the same. */
const allowed = (lists: { merchants: boolean; users: boolean }, enabled = true): string =>
  grantRows({ ...lists, enabled })
    .map((row) => (row.allowed ? 'y' : 'n'))
    .join('');

describe('D-127 the table of a test channel says who may pay', () => {
  test.each([
    ['neither list', { merchants: false, users: false }, 'nnnnnn'],
    ['merchants alone', { merchants: true, users: false }, 'yyynnn'],
    ['buyers alone', { merchants: false, users: true }, 'ynnynn'],
    ['both lists', { merchants: true, users: true }, 'ynnnnn'],
  ])('with %s', (_name, lists, expected) => {
    expect(allowed(lists)).toBe(expected);
    expect(allowed(lists, false)).toBe('nnnnnn');
  });
});
