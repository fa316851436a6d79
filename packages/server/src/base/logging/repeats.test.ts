import { expect, test } from 'vitest';
import { RepeatCounter } from './repeats.ts';

const once = { whole: 1, short: 1 };

test('the first of a kind is whole, some are short, the others are counted', () => {
  const repeats = new RepeatCounter();
  const verdicts = [0, 1, 2, 3].map((ms) => repeats.judge('a', once, ms));
  expect(verdicts).toEqual(['whole', 'short', 'counted', 'counted']);
  expect(repeats.judge('b', once, 4)).toBe('whole');
  expect(repeats.total).toBe(2);
  expect(repeats.takeReport()).toEqual([{ of: 'a', times: 2 }]);
  expect(repeats.takeReport()).toEqual([]);
});

test('after a minute a kind is written again', () => {
  const repeats = new RepeatCounter();
  expect(repeats.judge('a', once, 0)).toBe('whole');
  expect(repeats.judge('a', once, 59_999)).toBe('short');
  expect(repeats.judge('a', once, 60_000)).toBe('whole');
});

test('a report is due two seconds after the last repetition, and at least every minute', () => {
  const repeats = new RepeatCounter();
  const none = { whole: 0, short: 0 };
  expect(repeats.due_ms).toBeNull();
  repeats.judge('a', none, 1_000);
  repeats.judge('a', none, 5_000);
  expect(repeats.due_ms).toBe(7_000);
  repeats.judge('a', none, 60_900);
  expect(repeats.due_ms).toBe(61_000);
  repeats.takeReport();
  expect(repeats.due_ms).toBeNull();
});

test('many kinds take no more memory than some, and none is lost', () => {
  const repeats = new RepeatCounter();
  const none = { whole: 0, short: 0 };
  for (let i = 0; i < 1_000; i++) repeats.judge(`kind ${i}`, none, 0);
  const report = repeats.takeReport();
  expect(report).toHaveLength(201);
  expect(report[0]).toEqual({ of: 'other lines', times: 800 });
});
