import { describe, expect, test } from 'vitest';
import { createLog } from '../../base/log.ts';
import { type Started, Supervisor, waitBefore } from './supervise.ts';

/** A process that does what the test says. */
interface Acted extends Started {
  name: string;
  serve(): void;
  end(why: string): void;
  asked: string[];
}

/** A supervisor of such processes, whose waits end when the test says. */
function stage(names: string[]) {
  const all: Acted[] = [];
  const waits: { ms: number; done: () => void }[] = [];
  const lines: Record<string, unknown>[] = [];
  let time_ms = 0;
  const supervisor = new Supervisor({
    names,
    log: createLog('info', { write: (line) => lines.push(JSON.parse(line) as Record<string, unknown>) }),
    now: () => time_ms,
    pause: (ms, signal) =>
      new Promise((resolve) => {
        const done = (): void => {
          resolve();
        };
        signal.addEventListener('abort', done);
        waits.push({ ms, done });
      }),
    start: (name) => {
      const asked: string[] = [];
      let serve = (): void => undefined;
      let end = (_why: string): void => undefined;
      const one: Acted = {
        ...{ name, pid: all.length, asked },
        ready: new Promise((resolve) => (serve = resolve)),
        ended: new Promise((resolve) => (end = resolve)),
        stop: (replaced) => asked.push(replaced ? 'leave' : 'stop'),
        kill: () => asked.push('kill'),
        serve: () => {
          serve();
        },
        end: (why) => {
          end(why);
        },
      };
      all.push(one);
      return one;
    },
  });
  return {
    supervisor,
    all,
    lines,
    waits,
    messages: () => lines.map(({ msg }) => msg),
    pass: (ms: number) => (time_ms += ms),
    /** The process that was started as the n-th. */
    one(n: number): Acted {
      const found = all[n];
      if (found === undefined) throw new Error(`only ${all.length} processes were started`);
      return found;
    },
  };
}

/** Lets everything continue that waits only for a promise. */
const settle = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

async function serving(names = ['web 1', 'web 2', 'worker']) {
  const it = stage(names);
  const started = it.supervisor.start();
  it.one(0).serve();
  await settle();
  for (const one of it.all) one.serve();
  expect(await started).toBe(true);
  return it;
}

test('D-400 the first process is started alone; where it does not serve, no other is started', async () => {
  const it = stage(['web 1', 'web 2']);
  const started = it.supervisor.start();
  await settle();
  expect(it.all).toHaveLength(1);
  it.one(0).end('exit code 1');
  expect(await started).toBe(false);
  expect([it.all.length, it.lines]).toEqual([1, []]);
});

test('D-400 a process that ends is started again, each time later, up to half a minute', async () => {
  const it = await serving(['web 1']);
  const waited: number[] = [];
  for (let i = 0; i < 9; i++) {
    it.one(i).end('SIGKILL');
    await settle();
    const wait = it.waits.at(-1);
    waited.push(wait?.ms ?? 0);
    expect(it.all).toHaveLength(i + 1);
    wait?.done();
    await settle();
    it.one(i + 1).serve();
    await settle();
  }
  expect(waited).toEqual([500, 1_000, 2_000, 4_000, 8_000, 16_000, 30_000, 30_000, 30_000]);
  expect(waited).toEqual(waited.map((_, i) => waitBefore(i)));
  const ends = it.lines.filter(({ why }) => why !== undefined);
  expect(ends[0]).toMatchObject({ name: 'web 1', why: 'SIGKILL', restart_in_ms: 500 });
  // One that served for a minute was well.
  it.pass(60_000);
  it.one(9).end('SIGKILL');
  await settle();
  expect(it.waits.at(-1)?.ms).toBe(500);
});

test('D-400 one that ends before it serves is started later and later as well', async () => {
  const it = await serving(['web 1', 'web 2']);
  it.one(1).end('exit code 1');
  for (const [i, ms] of [500, 1_000, 2_000].entries()) {
    await settle();
    expect(it.waits.at(-1)?.ms).toBe(ms);
    it.waits.at(-1)?.done();
    await settle();
    it.one(2 + i).end('exit code 1');
  }
});

describe('reload', () => {
  test('D-401 a process leaves when another one serves in its place, and then the next', async () => {
    const it = await serving();
    const reloaded = it.supervisor.reload();
    for (const [i, name] of ['web 1', 'web 2', 'worker'].entries()) {
      await settle();
      const next = it.one(3 + i);
      expect([next.name, it.all.length]).toEqual([name, 4 + i]);
      expect(it.one(i).asked).toEqual([]);
      next.serve();
      await settle();
      expect(it.one(i).asked).toEqual(['leave']);
      expect(it.all).toHaveLength(4 + i);
      it.one(i).end('exit code 0');
    }
    await reloaded;
    expect(it.messages().at(-1)).toBe('the reload is done');
  });

  test('D-401 where a new process does not start, all old ones stay', async () => {
    const it = await serving();
    const reloaded = it.supervisor.reload();
    await settle();
    it.one(3).end('exit code 1');
    await reloaded;
    expect(it.all).toHaveLength(4);
    expect(it.all.map(({ asked }) => asked)).toEqual([[], [], [], []]);
    expect(it.messages().at(-1)).toMatch(/^the reload was given up/);
  });

  test('D-401 a second one during the first begins when that is done', async () => {
    const it = await serving(['web 1']);
    const both = [it.supervisor.reload(), it.supervisor.reload()];
    for (const i of [0, 1]) {
      await settle();
      it.one(i + 1).serve();
      await settle();
      it.one(i).end('exit code 0');
    }
    await Promise.all(both);
    expect(it.all).toHaveLength(3);
  });

  test('D-401 a process that ended meanwhile has one successor', async () => {
    const it = await serving(['web 1']);
    it.one(0).end('SIGKILL');
    await settle();
    const restart = it.waits.at(-1);
    const reloaded = it.supervisor.reload();
    await settle();
    it.one(1).serve();
    await reloaded;
    restart?.done();
    await settle();
    expect(it.all).toHaveLength(2);
  });
});

test('H-24 all processes are asked to end, and killed after ten seconds', async () => {
  const it = await serving();
  const stopped = it.supervisor.stop();
  await settle();
  expect(it.all.map(({ asked }) => asked)).toEqual([['stop'], ['stop'], ['stop']]);
  it.one(0).end('exit code 0');
  it.one(1).end('exit code 0');
  const last = it.waits.at(-1);
  expect(last?.ms).toBe(10_000);
  last?.done();
  await settle();
  expect(it.one(2).asked).toEqual(['stop', 'kill']);
  it.one(2).end('SIGKILL');
  await stopped;
  expect(it.all).toHaveLength(3);
});

test('H-24 a stop ends processes that are about to start, and starts no more', async () => {
  const it = await serving(['web 1', 'web 2']);
  it.one(1).end('SIGKILL');
  await settle();
  it.waits.at(-1)?.done();
  await settle();
  const stopped = it.supervisor.stop();
  await settle();
  for (const one of it.all) one.end('exit code 0');
  await stopped;
  await settle();
  expect(it.all.map(({ asked }) => asked[0])).toEqual(['stop', undefined, 'stop']);
});
