import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { PlatformRest } from './rest.ts';

const start_ms = Date.parse('2026-01-02T03:00:00Z');
const awake_ms = 10_000;

/** The processes of a platform, on one fake database that passes notifications on. */
const platform = {
  /** When the next work is due, as the database knows it. */
  due: null as Date | null,
  offset_ms: 0,
  hears: true,
  fails: false,
  shards: 1,
  /** What happens while a process looks. */
  onLook: (): void => undefined,
  /** The processes that have looked, in their order. */
  looks: [] as string[],
  /** The numbers of notices that were sent. */
  sent: 0,
  listeners: new Map<string, (payload: string) => void>(),
};

const clock = {
  now: () => new Date(Date.now() + platform.offset_ms),
  get offset_ms() {
    return platform.offset_ms;
  },
};

let running: PlatformRest[] = [];

async function startProcess(name: string, looks = true): Promise<PlatformRest> {
  const rest = new PlatformRest({
    db: {
      hears: () => platform.hears,
      listen: (_channel, hear) => {
        platform.listeners.set(name, hear);
        hear('');
        return Promise.resolve(() => Promise.resolve(void platform.listeners.delete(name)));
      },
      query: (asked) => {
        platform.sent++;
        const payload = String(asked.values.at(-1));
        if (platform.hears) for (const hear of platform.listeners.values()) hear(payload);
        return Promise.resolve([]);
      },
    },
    clock,
    process_id: name,
    nextDue: !looks
      ? null
      : () => {
          platform.looks.push(name);
          platform.onLook();
          return platform.fails ? Promise.reject(new Error('no database')) : Promise.resolve(platform.due);
        },
    countShards: () => Promise.resolve(platform.shards),
    awake_ms,
  });
  await rest.start();
  running.push(rest);
  return rest;
}

const pass = (ms: number): Promise<unknown> => vi.advanceTimersByTimeAsync(ms);

/** Whether a loop may rest whose last pass began just now. */
const restsAfterPass = (rest: PlatformRest): boolean => rest.allows(performance.now());

beforeEach(() => {
  vi.useFakeTimers({ now: start_ms });
  Object.assign(platform, {
    due: null,
    offset_ms: 0,
    hears: true,
    fails: false,
    shards: 1,
    looks: [],
    sent: 0,
  });
  platform.onLook = () => undefined;
  platform.listeners.clear();
  running = [];
});

afterEach(async () => {
  for (const rest of running) await rest.stop();
  vi.useRealTimers();
});

describe('D-420 a platform at rest', () => {
  test('begins when nothing has happened for a while and a look found nothing due', async () => {
    const rest = await startProcess('0000');
    await pass(awake_ms - 250);
    expect([restsAfterPass(rest), platform.looks]).toEqual([false, []]);
    await pass(250);
    expect([restsAfterPass(rest), platform.looks]).toEqual([true, ['0000']]);
  });

  test('allows a loop no rest that has not looked since something happened', async () => {
    const rest = await startProcess('0000');
    const before_ms = performance.now();
    await pass(250);
    rest.stir();
    await pass(awake_ms);
    expect(rest.allows(before_ms)).toBe(false);
    expect(restsAfterPass(rest)).toBe(true);
  });

  test('lets a loop look all the same after its longest rest', async () => {
    const rest = await startProcess('0000');
    const began_ms = performance.now();
    await pass(9 * 60_000);
    expect([rest.allows(began_ms), rest.allows(began_ms, 60_000)]).toEqual([true, false]);
    await pass(60_000);
    expect(rest.allows(began_ms)).toBe(false);
  });

  test.each([
    { what: 'six looks a minute', hears: true, shards: 1, looks: 6 },
    { what: 'one look a minute of 60 shards', hears: true, shards: 60, looks: 1 },
    { what: 'sixty looks a minute where no notification arrives', hears: false, shards: 1, looks: 60 },
    { what: 'four of 30 shards there', hears: false, shards: 30, looks: 4 },
  ])('costs $what', async ({ hears, shards, looks }) => {
    Object.assign(platform, { hears, shards });
    await startProcess('0000');
    await pass(awake_ms + 10 * 60_000);
    // Looks begin at a tick, so that a few of them are a quarter of a second late.
    expect(Math.round(platform.looks.length / 10)).toBeGreaterThanOrEqual(hears ? looks : looks * 0.8);
    expect(platform.looks.length / 10).toBeLessThanOrEqual(looks + 0.1);
  });

  test('is told at most twice in the time that it stays awake, however much happens', async () => {
    const rest = await startProcess('0000', false);
    for (let i = 0; i < 1_000; i++) {
      rest.stir();
      await pass(10);
    }
    expect(platform.sent).toBe(2);
  });
});

describe('D-421 at rest nothing is missed', () => {
  test('what one process does wakes the others', async () => {
    const web = await startProcess('0000', false);
    const worker = await startProcess('1000');
    await pass(2 * awake_ms);
    expect(restsAfterPass(worker)).toBe(true);
    web.stir();
    expect(restsAfterPass(worker)).toBe(false);
  });

  test('work that was not announced is found by the next look', async () => {
    const rest = await startProcess('0000');
    await pass(2 * awake_ms);
    platform.due = new Date(Date.now());
    await pass(10_250);
    expect(restsAfterPass(rest)).toBe(false);
  });

  test.each([
    { what: 'passes', wait: (ms: number) => pass(ms) },
    {
      what: 'is moved',
      wait: (ms: number) => {
        platform.offset_ms += ms;
        return pass(250);
      },
    },
  ])('work that is due later wakes all when the time $what', async ({ wait }) => {
    const one = await startProcess('0000');
    const other = await startProcess('1000');
    platform.due = new Date(start_ms + 12_000);
    await pass(11_000);
    expect([restsAfterPass(one), restsAfterPass(other)]).toEqual([true, true]);
    await wait(1_000);
    expect([restsAfterPass(one), restsAfterPass(other)]).toEqual([false, false]);
  });

  test('one process looks for all, and another goes on when it dies', async () => {
    const [one] = [await startProcess('0000'), await startProcess('8000')];
    const other = running[1] as PlatformRest;
    await pass(60_000);
    expect(new Set(platform.looks)).toEqual(new Set(['0000']));
    await one.stop();
    platform.looks = [];
    const began_ms = performance.now();
    await pass(30_000);
    expect(new Set(platform.looks)).toEqual(new Set(['8000']));
    expect(other.allows(began_ms)).toBe(true);
  });
});

describe('D-421 a look', () => {
  test('that fails lets no loop rest', async () => {
    platform.fails = true;
    const rest = await startProcess('0000');
    await pass(60_000);
    expect(restsAfterPass(rest)).toBe(false);
    platform.fails = false;
    await pass(1_250);
    expect(restsAfterPass(rest)).toBe(true);
    platform.fails = true;
    await pass(60_000);
    expect(restsAfterPass(rest)).toBe(false);
  });

  test('does not hide what happens while it is made', async () => {
    const rest = await startProcess('0000');
    platform.onLook = () => {
      rest.stir();
    };
    await pass(awake_ms + 250);
    expect(platform.looks).toEqual(['0000']);
    // The answer to that look is worth nothing, and no other comes.
    Object.assign(platform, { fails: true, onLook: () => undefined });
    await pass(awake_ms + 250);
    expect(restsAfterPass(rest)).toBe(false);
  });

  test('a connection that was lost and opened again wakes the process', async () => {
    const rest = await startProcess('0000');
    await pass(2 * awake_ms);
    platform.listeners.get('0000')?.('');
    expect(restsAfterPass(rest)).toBe(false);
  });
});
