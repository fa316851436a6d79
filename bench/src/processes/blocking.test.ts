import { expect, test } from 'vitest';
import { blockingOf } from './blocking.ts';

const event = (name: string, ts: number, ms = 0, tid = 1) => {
  return { name, ph: name === 'RunTask' ? 'X' : 'R', pid: 7, tid, ts, dur: ms * 9_000, tdur: ms * 1_000 };
};

test('D-388 blocking time is what tasks after the first paint take of the processor beyond 50 ms each', () => {
  const found = blockingOf([
    event('RunTask', 10, 400),
    event('firstContentfulPaint', 20),
    event('RunTask', 30, 50),
    event('RunTask', 40, 130),
    event('RunTask', 50, 70.5),
    // Another thread, and a part of a task.
    event('RunTask', 60, 800, 2),
    event('FunctionCall', 70, 800),
  ]);
  expect(found).toEqual({ blocking_ms: 100.5, longest_task_ms: 130 });
});
