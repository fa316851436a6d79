import { describe, expect, test } from 'vitest';
import { type Bar, type Figure, judged, tableOf } from './figures.ts';

const rate: Figure = {
  name: 'create.rate',
  what: 'orders created',
  value: 1_800,
  unit: 'per second',
  reference: { what: 'pgbench', value: 5_000 },
};

describe('figures', () => {
  test('a figure stands beside its reference as a ratio', () => {
    expect(judged(rate).ratio).toBe(0.36);
    expect(judged({ ...rate, reference: null }).ratio).toBeNull();
    expect(judged({ ...rate, reference: { what: 'nothing', value: 0 } }).ratio).toBeNull();
  });

  const atLeast: Bar = { of: 'ratio', at_least: 0.36 };
  const below: Bar = { of: 'value', below: 50 };
  test.each<[string, Figure, Bar | null, boolean | null]>([
    ['a ratio at its bar meets it', rate, atLeast, true],
    ['a ratio under its bar misses it', { ...rate, value: 1_799 }, atLeast, false],
    ['a ratio that cannot be told misses its bar', { ...rate, reference: null }, atLeast, false],
    ['a value below its bar meets it', { ...rate, value: 49.9 }, below, true],
    ['a value at an upper bar misses it', { ...rate, value: 50 }, below, false],
    ['a figure without a bar is not judged', rate, null, null],
  ])('%s', (_, figure, bar, met) => {
    expect(judged({ ...figure, name: 'some.figure' }, bar).met).toBe(met);
  });

  test('the bars go by the names of the figures', () => {
    expect(judged(rate)).toMatchObject({ bar: atLeast, met: true });
    expect(judged({ ...rate, name: 'create.rate.http' })).toMatchObject({ bar: null, met: null });
  });

  test('the table says what was measured, against what, and whether it is enough', () => {
    const slow: Figure = { name: 'products.p99', what: 'p99', value: 61.23, unit: 'ms', reference: null };
    const lines = tableOf([judged(rate), judged(slow)]).split('\n');
    expect(lines[2]).toMatch(
      /^create\.rate +1,800\/s +orders created +5,000\/s pgbench +0\.36 +≥ 0\.36: bar met$/,
    );
    expect(lines[3]).toMatch(/^products\.p99 +61\.2 ms +p99 +< 50 ms: bar NOT met$/);
  });
});
