import { pino } from 'pino';
import { beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import type { Queryable } from '../pg/index.ts';
import { OffsetClock } from '../time/clock.ts';
import { createClockAlarm } from './clock-alarm.ts';

const lines: string[] = [];
const seconds: number[] = [];
const log = pino(
  {},
  {
    write: (line: string) => {
      const { level, msg, still_seconds } = JSON.parse(line) as {
        level: number;
        msg: string;
        still_seconds?: number;
      };
      if (still_seconds !== undefined) seconds.push(still_seconds);
      lines.push(`${level} ${msg.split(':')[0] ?? ''}`);
    },
  },
);

const statements: string[] = [];
let isAway = false;
const db = {
  query: (asked: { strings: readonly string[] }) => {
    if (isAway) return Promise.reject(new Error('no database'));
    statements.push(/^\s*(\w+)/.exec(asked.strings[0] ?? '')?.[1] ?? '');
    return Promise.resolve([]);
  },
} as unknown as Queryable;

let offset = 0;
let measured = 0;
const timekeeper = {
  clock: new OffsetClock(),
  offset_ms: () => offset,
  measureSoon: () => {
    measured++;
  },
};
const create = () =>
  createClockAlarm({ db, timekeeper, log, process_id: 'p', process: 'web on desk-1, process 7' });
const settle = (): Promise<unknown> => new Promise((resolve) => setImmediate(resolve));

beforeEach(() => {
  lines.length = 0;
  statements.length = 0;
  [offset, measured, isAway] = [0, 0, false];
});

test('H-24 the alarm begins beyond two seconds, is told once, and ends with the fault', async () => {
  const alarm = create();
  const lookAt = async (ms: number): Promise<void> => {
    offset = ms;
    alarm.look();
    await settle();
  };
  await lookAt(2_000);
  expect([lines, statements]).toEqual([[], []]);
  await lookAt(-2_001);
  await lookAt(-90_000);
  expect([lines, statements]).toEqual([['50 the local clock is off'], ['INSERT']]);
  await lookAt(1_000);
  expect(lines).toEqual(['50 the local clock is off', '40 the local clock is right again']);
  expect(statements).toEqual(['INSERT', 'DELETE']);
});

test('H-24 an alarm that ended while the database was away is taken back when it is there again', async () => {
  const alarm = create();
  offset = 5_000;
  alarm.look();
  await settle();
  [offset, isAway] = [0, true];
  alarm.look();
  await settle();
  isAway = false;
  alarm.look();
  await settle();
  expect(statements).toEqual(['INSERT', 'DELETE']);
});

test('H-24 a process that stops takes its alarm back', async () => {
  const alarm = create();
  offset = 5_000;
  alarm.look();
  await alarm.stop();
  expect(statements).toEqual(['INSERT', 'DELETE']);
});

test('D-893 a process that stood still for more than ten seconds says for how long', () => {
  const now = vi.spyOn(performance, 'now').mockReturnValue(1_000);
  onTestFinished(() => {
    now.mockRestore();
  });
  const alarm = create();
  for (const at_ms of [11_000, 12_000, 42_100, 43_100]) {
    now.mockReturnValue(at_ms);
    alarm.look();
  }
  expect(lines).toEqual(['40 this process stood still, so others may have taken over its work']);
  expect(seconds).toEqual([30]);
});

test('D-024 a jump of the local clock is a reason to measure', async () => {
  const alarm = create();
  alarm.look();
  expect(measured).toBe(0);
  offset = -1_500;
  alarm.look();
  expect(measured).toBe(1);
  await settle();
});
