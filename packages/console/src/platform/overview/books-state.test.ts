import { expect, test } from 'vitest';
import { booksState, type BooksState } from './books-state.ts';

const as_of = '2026-10-20T12:00:00.000Z';

test.each<[BooksState, boolean | null, string]>([
  ['unchecked', null, ''],
  ['balanced', true, '2026-10-20T11:30:00.000Z'],
  ['balanced', true, '2026-10-19T11:00:00.000Z'],
  ['overdue', true, '2026-10-19T10:59:59.000Z'],
  ['differ', false, '2026-10-20T11:30:00.000Z'],
  ['differ', false, '2026-10-01T00:00:00.000Z'],
])('D-393 the books are %s where the last check was %s, at %s', (state, ok, verified_at) => {
  expect(booksState(ok === null ? null : { ok, verified_at }, as_of)).toBe(state);
});
