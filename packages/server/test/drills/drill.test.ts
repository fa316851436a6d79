import { describe, expect, test } from 'vitest';
import { type DrillResult, figuresOf, verdictOf } from './drill.ts';

const sound: DrillResult = {
  ...{ acknowledged: 100, lost: 0, doubled: 0, failed: 3, longest_outage_ms: 9_999, told: [] },
};

describe('H-25 the verdict of a drill', () => {
  test('figures up to their bars pass, and a figure without a bar always does', () => {
    expect(verdictOf({ bars: { longest_outage_ms: 10_000 } }, sound)).toEqual([]);
    expect(verdictOf({ bars: { failed: 3, longest_outage_ms: 9_999 } }, sound)).toEqual([]);
  });

  test('each figure beyond its bar fails it', () => {
    const result = { ...sound, lost: 1, doubled: 2, longest_outage_ms: 10_001 };
    expect(verdictOf({ bars: { failed: 0, longest_outage_ms: 10_000 } }, result)).toEqual([
      'lost is 1, more than 0',
      'doubled is 2, more than 0',
      'failed is 3, more than 0',
      'longest_outage_ms is 10001, more than 10000',
    ]);
  });

  test('lost and doubled have the bar 0 where a drill names none', () => {
    expect(verdictOf({ bars: {} }, { ...sound, lost: 1, doubled: 1 })).toHaveLength(2);
  });

  test('a problem fails it, and so does a run in which nothing was acknowledged', () => {
    const result = { ...sound, acknowledged: 0, problems: ['the books differ'] };
    expect(verdictOf({ bars: {} }, result)).toEqual(['nothing was acknowledged', 'the books differ']);
  });

  test('the five figures are printed', () => {
    expect(figuresOf(sound)).toEqual([
      ...['acknowledged: 100', 'lost: 0', 'doubled: 0', 'failed: 3', 'longest outage: 10.0 s'],
    ]);
  });
});
