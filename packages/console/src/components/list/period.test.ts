import { expect, test } from 'vitest';
import { spanOf } from './period.ts';

const now = new Date(2026, 2, 31, 15, 30);
const days = ({ from, to }: ReturnType<typeof spanOf>): unknown[] =>
  [from, to].map((at) => (at === undefined ? at : new Date(at).toLocaleString('sv')));

test.each([
  [{ period: 'today' }, '2026-03-31 00:00:00', '2026-04-01 00:00:00'],
  [{ period: 'last-7-days' }, '2026-03-25 00:00:00', '2026-04-01 00:00:00'],
  [{ period: 'last-30-days' }, '2026-03-02 00:00:00', '2026-04-01 00:00:00'],
  [{ period: 'this-month' }, '2026-03-01 00:00:00', '2026-04-01 00:00:00'],
  [{ period: 'last-month', from: '2020-01-01' }, '2026-02-01 00:00:00', '2026-03-01 00:00:00'],
  [{ from: '2026-02-28', until: '2026-02-28' }, '2026-02-28 00:00:00', '2026-03-01 00:00:00'],
  [{ from: 'soon', period: 'ever' }, undefined, undefined],
])('D-323 %o is from %s to %s', (view, from, to) => {
  expect(days(spanOf(view as never, now))).toEqual([from, to]);
});
