import { describe, expect, test } from 'vitest';
import { percentSince, pointsSince } from './compare.ts';
import { presetOf, rangeOf } from './range.ts';

describe('D-332 the change of an amount', () => {
  test.each<[string, string, number | null]>([
    ['100.00', '150.00', 50],
    ['150.00', '100', -33.3],
    ['35.00', '45.00', 28.6],
    ['45.00', '15.05', -66.6],
    ['3000', '3001', 0],
    ['0.00', '10.00', null],
    // No float tells these apart.
    ['90071992547409.93', '180143985094819.86', 100],
    ['0.001', '0.002', 100],
  ])('from %s to %s: %s %%', (before, now, change) => {
    expect(percentSince(before, now)).toBe(change);
  });
});

test('D-332 the change of a rate is in points', () => {
  expect(pointsSince('0.5000', '0.7150')).toBe(21.5);
  expect(pointsSince(null, '0.7150')).toBe(null);
});

test.each([
  [{}, '30', '2026-02-01', '2026-03-02'],
  [{ days: '7' }, '7', '2026-02-24', '2026-03-02'],
  [{ days: 'all' }, '30', '2026-02-01', '2026-03-02'],
  [{ from: '2026-01-01', until: '2026-01-31' }, 'custom', '2026-01-01', '2026-01-31'],
  [{ from: '2026-01-01' }, '30', '2026-02-01', '2026-03-02'],
])('D-332 the address %j asks for %s', (view, preset, from, until) => {
  expect(presetOf(view)).toBe(preset);
  expect(rangeOf(view, '2026-03-02')).toEqual({ from, until });
});
