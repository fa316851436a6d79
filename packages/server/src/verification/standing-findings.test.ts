import { expect, test } from 'vitest';
import { later, minutes } from '../base/time/clock.ts';
import type { Finding } from '../ledger/verification/index.ts';
import { standingAfter } from './standing-findings.ts';
import { dueCheck } from './verify-when-due.ts';

const now = new Date('2026-03-02T12:00:00Z');
const before = new Date('2026-03-01T12:00:00Z');
const finding = (kind: string, subject = 'mp_1'): Finding => ({
  kind,
  book: 'platform',
  subject,
  words: kind,
});
const old = (kind: string, subject?: string) => ({ ...finding(kind, subject), found_at: before });

test('R-143 a finding keeps the time at which it was found first', () => {
  expect(
    standingAfter([old('order_differs')], [finding('order_differs'), finding('held_amount')], {
      coverage: 'everything',
      now,
    }),
  ).toEqual([old('order_differs'), { ...finding('held_amount'), found_at: now }]);
});

test.each([
  ['everything', []],
  ['subjects of findings', ['sealed_row_changed', 'row_missing']],
  ['nothing certain', ['order_differs', 'sealed_row_changed', 'fact_unsealed', 'row_missing']],
] as const)('R-143 what stands after a check of %s that found nothing', (coverage, kinds) => {
  const all = ['order_differs', 'sealed_row_changed', 'fact_unsealed', 'row_missing'].map((kind) =>
    old(kind),
  );
  expect(standingAfter(all, [], { coverage, now }).map(({ kind }) => kind)).toEqual(kinds);
});

test.each([
  ['a full check an hour ahead', later(now, minutes(60)), 'full'],
  ['a full check less than an hour ahead', later(now, minutes(59)), null],
] as const)('D-1105 the check that is due where the clock was set back: %s', (_what, full_at, kind) => {
  expect(dueCheck({ checked_at: now, full_at }, now)).toBe(kind);
});

test.each([
  ['never checked', null, null, 'full'],
  ['checked an hour ago', later(now, -minutes(60)), now, 'incremental'],
  ['checked less than an hour ago', later(now, -minutes(59)), now, null],
  ['the clock was set back', later(now, minutes(61)), now, 'incremental'],
  ['no full check since 03:00', now, new Date('2026-03-02T02:59:59Z'), 'full'],
  ['a full check at 03:00', now, new Date('2026-03-02T03:00:00Z'), null],
] as const)('R-143 the check that is due: %s', (_what, checked_at, full_at, kind) => {
  expect(dueCheck({ checked_at, full_at }, now)).toBe(kind);
});
