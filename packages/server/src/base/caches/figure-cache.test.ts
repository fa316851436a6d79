import { expect, test, vi } from 'vitest';
import { later, minutes } from '../time/clock.ts';
import { createFigureCache } from './figure-cache.ts';

const start = new Date('2026-03-02T12:00:00Z');

/** A cache of at most two figures, which count their readings; each reading takes as long as the test says. */
function cacheOf(took_ms: number) {
  let [now, tick, reads, failing] = [start, 0, 0, false];
  const warn = vi.fn();
  const clock = { now: () => now, real: () => now };
  const cached = createFigureCache<number>({ clock, log: { warn } as never }, 2, () => (tick += took_ms));
  return {
    warn,
    ask: (key = 'a') =>
      cached(key, () => {
        reads++;
        return failing ? Promise.reject(new Error('the database is away')) : Promise.resolve(reads);
      }),
    pass: (ms: number) => {
      now = later(now, ms);
      return now;
    },
    fail: (does: boolean) => {
      failing = does;
    },
  };
}

test('D-502 figures of the last minute are answered again, later ones are read', async () => {
  const { ask, pass } = cacheOf(2_999);
  expect(await ask()).toEqual({ as_of: start, figures: 1 });
  pass(minutes(1) - 1);
  expect(await ask()).toEqual({ as_of: start, figures: 1 });
  expect(await ask('b')).toMatchObject({ figures: 2 });
  const later = pass(1);
  expect(await ask()).toEqual({ as_of: later, figures: 3 });
});

test('D-502 figures that take long are answered with their age, while one reading makes new ones', async () => {
  const { ask, pass } = cacheOf(3_001);
  await ask();
  const later = pass(minutes(59));
  expect(await Promise.all([ask(), ask()])).toEqual([1, 2].map(() => ({ as_of: start, figures: 1 })));
  await vi.waitFor(async () => {
    expect(await ask()).toEqual({ as_of: later, figures: 2 });
  });
});

test('D-1105 figures from before the clock was set back are read again', async () => {
  const { ask, pass } = cacheOf(3_001);
  await ask();
  const later = pass(-minutes(60));
  expect(await ask()).toEqual({ as_of: later, figures: 2 });
});

test('D-502 figures of more than an hour are not answered', async () => {
  const { ask, pass } = cacheOf(3_001);
  await ask();
  const later = pass(minutes(60));
  expect(await ask()).toEqual({ as_of: later, figures: 2 });
});

test('D-502 a failed reading is tried again, and takes nothing that is there', async () => {
  const { ask, pass, fail, warn } = cacheOf(3_001);
  fail(true);
  await expect(ask()).rejects.toThrow('away');
  fail(false);
  expect(await ask()).toEqual({ as_of: start, figures: 2 });
  pass(minutes(5));
  fail(true);
  await ask();
  await vi.waitFor(() => {
    expect(warn).toHaveBeenCalledOnce();
  });
  fail(false);
  expect((await ask()).figures).toBe(2);
  await vi.waitFor(async () => {
    expect((await ask()).figures).toBe(4);
  });
});

test('D-502 memory holds at most the given number of figures', async () => {
  const { ask } = cacheOf(0);
  for (const key of ['a', 'b', 'c']) await ask(key);
  expect((await ask('c')).figures).toBe(3);
  expect((await ask('a')).figures).toBe(4);
});

test('D-502 H-25 a call does not wait for a reading that takes very long; a later call finds it', async () => {
  vi.useFakeTimers();
  let end: (figures: number) => void = () => undefined;
  const clock = { now: () => start, real: () => start };
  const cached = createFigureCache<number>({ clock, log: {} as never }, 2);
  const ask = () => cached('a', () => new Promise((resolve) => (end = resolve)));
  const refused = expect(ask()).rejects.toMatchObject({ code: 'service_unavailable' });
  await vi.advanceTimersByTimeAsync(8_000);
  await refused;
  end(1);
  expect(await ask()).toEqual({ as_of: start, figures: 1 });
  vi.useRealTimers();
});

/** A cache whose readings end when the test says. */
function openReadings() {
  const begun: string[] = [];
  const ends = new Map<string, () => void>();
  let tick = 0;
  const clock = { now: () => start, real: () => start };
  const cached = createFigureCache<string>({ clock, log: {} as never }, 9, () => tick);
  const settle = () => new Promise(setImmediate);
  const read = (key: string) => () => {
    begun.push(key);
    return new Promise<string>((resolve) => {
      ends.set(key, () => {
        resolve(key);
      });
    });
  };
  return {
    begun,
    settle,
    ask: (key: string, whose: string) => cached(key, read(key), whose),
    end: (key: string) => {
      ends.get(key)?.();
      return settle();
    },
    pass: (ms: number) => (tick += ms),
  };
}

test('D-610 one range is read at a time for each member; another member does not wait', async () => {
  const { begun, settle, ask, end } = openReadings();
  const asked = [ask('a', 'ada'), ask('b', 'ada'), ask('a', 'ada'), ask('c', 'eve')];
  await settle();
  expect(begun).toEqual(['a', 'c']);
  for (const key of ['c', 'a', 'b']) await end(key);
  expect((await Promise.all(asked)).map(({ figures }) => figures)).toEqual(['a', 'b', 'a', 'c']);
});

test('D-610 a range whose call was refused meanwhile is not read, and is asked for again', async () => {
  const { begun, settle, ask, end, pass } = openReadings();
  const first = ask('a', 'ada');
  const refused = expect(ask('b', 'ada')).rejects.toMatchObject({ code: 'service_unavailable' });
  await settle();
  pass(8_000);
  const next = ask('c', 'ada');
  await end('a');
  await Promise.all([first, refused]);
  expect(begun).toEqual(['a', 'c']);
  const again = ask('b', 'ada');
  for (const key of ['c', 'b']) await end(key);
  expect([await next, await again].map(({ figures }) => figures)).toEqual(['c', 'b']);
});

test('D-610 a member who asks for a range that waits for another member does not wait for their readings', async () => {
  const { begun, settle, ask, end } = openReadings();
  const asked = [ask('a', 'ada'), ask('b', 'ada')];
  await settle();
  const eve = ask('b', 'eve');
  await settle();
  expect(begun).toEqual(['a', 'b']);
  await end('b');
  expect((await eve).figures).toBe('b');
  await end('a');
  await Promise.all(asked);
  expect(begun).toEqual(['a', 'b']);
});

test('D-610 a range is read for a later call, also where the call that asked first was refused meanwhile', async () => {
  const { begun, settle, ask, end, pass } = openReadings();
  const first = ask('a', 'ada');
  const refused = expect(ask('b', 'ada')).rejects.toMatchObject({ code: 'service_unavailable' });
  await settle();
  pass(7_900);
  const later = ask('b', 'ada');
  pass(100);
  await end('a');
  await Promise.all([first, refused]);
  expect(begun).toEqual(['a', 'b']);
  await end('b');
  expect((await later).figures).toBe('b');
});
