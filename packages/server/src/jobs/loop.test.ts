import { pino } from 'pino';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { AppError } from '../base/errors.ts';
import { createLoop, type Loop, type LoopRest, type Pass } from './loop.ts';

let now = 0;
let real = 0;
const clock = { now: () => new Date(now), real: () => new Date(real) };
const tick_ms = 250;
const every_ms = 60_000;

let loop: Loop | undefined;

beforeEach(() => {
  now = Date.parse('2026-01-02T03:00:00Z');
  real = now;
  vi.useFakeTimers();
});

afterEach(async () => {
  await loop?.stop();
  vi.useRealTimers();
});

const lines: { level: number; msg: string }[] = [];
const log = pino(
  { level: 'warn' },
  {
    write: (line: string) => {
      lines.push(JSON.parse(line) as (typeof lines)[number]);
    },
  },
);

function begin(pass: Pass, rest?: LoopRest): Loop {
  lines.length = 0;
  loop = createLoop({ name: 'a job', pass, every_ms, clock, log, tick_ms, ...(rest && { rest }) });
  loop.start();
  return loop;
}

/** Advances real time for the loop. The service's clock stands still. */
const settle = (): Promise<unknown> => vi.advanceTimersByTimeAsync(tick_ms);

/** Moves the service's clock and lets the loop read it. */
async function pass(ms: number): Promise<void> {
  now += ms;
  real += ms;
  await settle();
}

/** A pass that the test ends, with the number of items that it found. */
function heldPass(found: number) {
  let end: (found: number) => void = () => undefined;
  const work = vi.fn<Pass>(() => new Promise((resolve) => (end = resolve)));
  const finish = (): void => {
    end(found);
  };
  return { work, finish };
}

describe('a loop', () => {
  test('R-193 runs at once, then pauses by the service’s clock', async () => {
    const work = vi.fn<Pass>(() => Promise.resolve(0));
    begin(work);
    await settle();
    expect(work).toHaveBeenCalledTimes(1);
    await vi.advanceTimersByTimeAsync(10 * every_ms);
    expect(work).toHaveBeenCalledTimes(1);
    await pass(every_ms - 1);
    expect(work).toHaveBeenCalledTimes(1);
    await pass(1);
    expect(work).toHaveBeenCalledTimes(2);
  });

  test('R-193 does not wait longer where the clock is set back', async () => {
    const work = vi.fn<Pass>(() => Promise.resolve(0));
    begin(work);
    await settle();
    await pass(-10 * every_ms);
    expect(work).toHaveBeenCalledTimes(2);
    await pass(every_ms);
    expect(work).toHaveBeenCalledTimes(3);
  });

  test('runs again at once while there is work', async () => {
    const found = [5, 3, 0];
    const work = vi.fn<Pass>(() => Promise.resolve(found.shift() ?? 0));
    begin(work);
    await vi.advanceTimersByTimeAsync(tick_ms - 1);
    expect(work).toHaveBeenCalledTimes(3);
    await settle();
    expect(work).toHaveBeenCalledTimes(3);
  });

  test('a wake ends its pause', async () => {
    const work = vi.fn<Pass>(() => Promise.resolve(0));
    const job = begin(work);
    await settle();
    job.wake();
    expect(work).toHaveBeenCalledTimes(2);
    await settle();
    expect(work).toHaveBeenCalledTimes(2);
  });

  test('a wake during a pass starts another pass', async () => {
    const { work, finish } = heldPass(0);
    const job = begin(work);
    await settle();
    job.wake();
    finish();
    await settle();
    expect(work).toHaveBeenCalledTimes(2);
    finish();
    await settle();
    expect(work).toHaveBeenCalledTimes(2);
    finish();
  });
});

describe('D-114 the test clock, moved during a pass,', () => {
  test.each([
    ['forward', 2 * every_ms],
    ['back', -every_ms],
  ])('%s, starts another pass', async (_, moved_ms) => {
    const { work, finish } = heldPass(0);
    begin(work);
    await settle();
    now += moved_ms;
    finish();
    await settle();
    expect(work).toHaveBeenCalledTimes(2);
    finish();
    await settle();
    expect(work).toHaveBeenCalledTimes(2);
    finish();
  });
});

describe('the passes of a loop', () => {
  test('never overlap', async () => {
    let running = 0;
    let most = 0;
    const job = begin(async () => {
      most = Math.max(most, ++running);
      await vi.advanceTimersByTimeAsync(0);
      running--;
      return 0;
    });
    await settle();
    for (let i = 0; i < 20; i++) job.wake();
    await settle();
    expect(most).toBe(1);
  });

  test('R-193 a failed pass is logged and tried again after the pause', async () => {
    const work = vi.fn<Pass>(() => Promise.reject(new Error('no database')));
    begin(work);
    await settle();
    expect(lines).toEqual([expect.objectContaining({ job: 'a job', msg: 'a background pass failed' })]);
    await settle();
    expect(work).toHaveBeenCalledTimes(1);
    await pass(every_ms);
    expect(work).toHaveBeenCalledTimes(2);
  });

  test('D-892 the first that fails because the database is busy is a warning, the next in a row is an error', async () => {
    const busy = new AppError('service_unavailable', { retry_after_s: 5 });
    const work = vi.fn<Pass>(() => Promise.reject(busy));
    begin(work);
    await settle();
    expect(lines).toEqual([expect.objectContaining({ level: 40, msg: 'a background pass failed' })]);
    await pass(every_ms);
    expect(lines.map(({ level }) => level)).toEqual([40, 50]);
    work.mockResolvedValueOnce(0);
    await pass(every_ms);
    await pass(every_ms);
    expect(lines.map(({ level }) => level)).toEqual([40, 50, 40]);
  });

  test('H-24 a pass that does not end is named, and told while it runs', async () => {
    const { work, finish } = heldPass(0);
    const job = begin(work);
    await settle();
    expect(job.stuck()).toEqual([]);
    await vi.advanceTimersByTimeAsync(120_000);
    expect(job.stuck()).toEqual(['a job']);
    expect(lines).toEqual([
      expect.objectContaining({ job: 'a job', msg: 'a background pass does not end: restart this process' }),
    ]);
    finish();
    await settle();
    expect(job.stuck()).toEqual([]);
  });

  test('H-24 stop waits for the running pass, and no other pass starts', async () => {
    const { work, finish } = heldPass(7);
    const job = begin(work);
    await settle();
    let stopped = false;
    const stopping = job.stop().then(() => (stopped = true));
    await settle();
    expect(stopped).toBe(false);
    finish();
    await stopping;
    job.wake();
    await pass(10 * every_ms);
    expect(work).toHaveBeenCalledTimes(1);
  });
});

describe('D-420 a loop at rest', () => {
  /** A platform that rests or not, as the test says. */
  const platform = { rests: true, stirs: 0 };
  const rest: LoopRest = {
    of: {
      allows: () => platform.rests,
      stir: () => {
        platform.stirs++;
      },
    },
  };

  beforeEach(() => {
    Object.assign(platform, { rests: true, stirs: 0 });
  });

  test('does not pass while nothing happens, and passes at once when something has', async () => {
    const work = vi.fn<Pass>(() => Promise.resolve(0));
    begin(work, rest);
    await settle();
    await pass(10 * every_ms);
    expect(work).toHaveBeenCalledTimes(1);
    platform.rests = false;
    await settle();
    expect(work).toHaveBeenCalledTimes(2);
  });

  test('passes when it is woken', async () => {
    const work = vi.fn<Pass>(() => Promise.resolve(0));
    const job = begin(work, rest);
    await settle();
    job.wake();
    expect(work).toHaveBeenCalledTimes(2);
  });

  test.each([
    { what: 'fails', pass: () => Promise.reject(new Error('no database')), passes: 2, stirs: 0 },
    { what: 'finds work', pass: () => Promise.resolve(1), passes: 3, stirs: 2 },
  ])('does not rest after a pass that $what', async ({ pass: first, passes, stirs }) => {
    const work = vi.fn<Pass>(() => Promise.resolve(0)).mockImplementationOnce(first);
    if (stirs > 0) work.mockImplementationOnce(first);
    begin(work, rest);
    await settle();
    await pass(every_ms);
    expect(work).toHaveBeenCalledTimes(passes);
    expect(platform.stirs).toBe(stirs);
  });
});
