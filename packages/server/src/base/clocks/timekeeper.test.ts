import { pino } from 'pino';
import { Registry } from 'prom-client';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { TimeSample } from '../time/database-time.ts';
import { createTimekeeper, type Timekeeper } from './timekeeper.ts';

const log = pino({ level: 'silent' });

/** A database whose clock a test sets, and that counts how often it is asked. */
const database = { off_ms: 0, asked: 0, away: false, slow_ms: 0 };
const db = {
  askTime: async (): Promise<TimeSample> => {
    database.asked++;
    if (database.away) throw new Error('no database');
    const at = performance.now();
    const answer = { sent_ms: at, received_ms: at, database: new Date(Date.now() + database.off_ms) };
    if (database.slow_ms > 0) await new Promise((resolve) => setTimeout(resolve, database.slow_ms));
    return answer;
  },
};

let timekeeper: Timekeeper;

beforeEach(async () => {
  vi.useFakeTimers();
  Object.assign(database, { off_ms: 90_000, asked: 0, away: false, slow_ms: 0 });
  timekeeper = createTimekeeper(log);
  await timekeeper.start(db);
});

afterEach(() => {
  timekeeper.stop();
  vi.useRealTimers();
});

const pass = (ms: number): Promise<unknown> => vi.advanceTimersByTimeAsync(ms);
const offset_s = (): number => Math.round(timekeeper.offset_ms() / 1_000);

describe('the timekeeper', () => {
  test('D-024 D-200 has measured when it has started, and measures at least every ten seconds', async () => {
    expect(offset_s()).toBe(90);
    const begun = database.asked;
    await pass(60_000);
    expect(database.asked - begun).toBeGreaterThanOrEqual(6);
    database.off_ms = 30_000;
    await pass(10_000);
    expect(offset_s()).toBe(30);
  });

  test('D-024 keeps the last offset while the database is away, and measures soon when it is back', async () => {
    database.away = true;
    await pass(600_000);
    expect(offset_s()).toBe(90);
    Object.assign(database, { away: false, off_ms: 60_000 });
    await pass(1_100);
    expect(offset_s()).toBe(60);
  });

  test('D-024 measures at once over a new connection, as after a failover, but not more than once a second', async () => {
    await pass(7_000);
    database.off_ms = -20_000;
    timekeeper.measureSoon();
    await pass(1);
    expect(offset_s()).toBe(-20);
    const asked = database.asked;
    for (let i = 0; i < 10; i++) {
      timekeeper.measureSoon();
      await pass(100);
    }
    expect(database.asked - asked).toBeLessThanOrEqual(1);
  });

  test('D-024 a connection that is new while a measurement is under way is measured too', async () => {
    await pass(4_990);
    database.slow_ms = 500;
    await pass(100);
    Object.assign(database, { slow_ms: 0, off_ms: -20_000 });
    timekeeper.measureSoon();
    await pass(1_100);
    expect(offset_s()).toBe(-20);
  });

  test('D-024 shows the offset as a metric', async () => {
    const registry = new Registry();
    timekeeper.register(registry);
    expect(await registry.metrics()).toMatch(/^paydesk_clock_offset_seconds (90|89\.9\d*|90\.0\d*)$/m);
  });
});

test('D-024 an answer that a newer one has overtaken is not used', async () => {
  const answers: ((sample: TimeSample) => void)[] = [];
  const slow = {
    askTime: () => new Promise<TimeSample>((resolve) => answers.push(resolve)),
  };
  const other = createTimekeeper(log);
  const sample = (off_ms: number): TimeSample => {
    const at = performance.now();
    return { sent_ms: at, received_ms: at, database: new Date(Date.now() + off_ms) };
  };
  const started = other.start(slow);
  for (let i = 0; i < 3; i++) {
    answers.shift()?.(sample(0));
    await pass(0);
  }
  await started;
  await pass(6_000);
  other.measureSoon();
  await pass(2_000);
  expect(answers.length).toBe(2);
  answers[1]?.(sample(10_000));
  await pass(0);
  answers[0]?.(sample(-10_000));
  await pass(0);
  expect(Math.round(other.offset_ms() / 1_000)).toBe(10);
  other.stop();
});
