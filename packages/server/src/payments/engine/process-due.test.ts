import { afterEach, expect, test, vi } from 'vitest';
import { sql, type Sql } from '../../base/pg/index.ts';
import { type DueItems, processDue } from './process-due.ts';

/** A database in which some merchants have due items, which are numbers. */
function dueOf(items: Record<string, number[]>) {
  const claim = (statement: Sql): number[] => {
    const [merchant_id] = statement.values as string[];
    const limit = statement.values.findLast((value) => typeof value === 'number') as number;
    return (items[merchant_id ?? ''] ?? []).splice(0, limit);
  };
  const tx = { query: (statement: Sql) => Promise.resolve(claim(statement)) };
  const now = () => new Date('2026-01-02T03:04:05Z');
  const log = { error: vi.fn() };
  return {
    deps: {
      db: { transaction: (work: (tx: unknown) => unknown) => work(tx) },
      clock: { now, real: now },
      log,
    } as unknown as Parameters<typeof processDue>[0],
    rows: { table: sql`items`, id: sql`id`, columns: sql`id` },
    log,
  };
}

afterEach(() => {
  vi.restoreAllMocks();
});

const numbers = (count: number): number[] => Array.from({ length: count }, (_, i) => i);

test('D-1115 after an outage all due items are handled, a limited number of them at once', async () => {
  const { deps, rows, log } = dueOf({ a: numbers(100), b: numbers(100), c: numbers(30) });
  let [running, most] = [0, 0];
  const items: DueItems<number> = {
    ...{ rows, books: ['a', 'b', 'c'], limit: 100, claim_ms: 60_000, failure: 'failed' },
    async handle(item) {
      most = Math.max(most, ++running);
      await new Promise(setImmediate);
      running--;
      if (item === 7) throw new Error('refused');
    },
    idsOf: (item) => ({ item: String(item) }),
  };
  expect(await processDue(deps, items)).toBe(230);
  expect([running, most <= 100]).toEqual([0, true]);
  expect(log.error).toHaveBeenCalledTimes(3);
});

test('D-1185 a pass begins items for ten seconds, and the next one goes on', async () => {
  const { deps, rows } = dueOf({ a: numbers(100), b: numbers(100), c: numbers(100) });
  let at_ms = 0;
  vi.spyOn(performance, 'now').mockImplementation(() => at_ms);
  const items: DueItems<number> = {
    ...{ rows, books: ['a', 'b', 'c'], limit: 100, claim_ms: 60_000, failure: 'failed' },
    async handle() {
      await new Promise(setImmediate);
      at_ms += 200;
    },
    idsOf: () => ({}),
  };
  const passes = [
    await processDue(deps, items),
    await processDue(deps, items),
    await processDue(deps, items),
  ];
  expect([passes.every((count) => count > 0 && count < 200), passes.reduce((a, b) => a + b)]).toEqual([
    true,
    300,
  ]);
});

test('D-1185 the merchants take turns', async () => {
  const { deps, rows } = dueOf({ a: numbers(100), b: [500] });
  const seen: number[] = [];
  await processDue(deps, {
    ...{ rows, books: ['a', 'b'], limit: 100, claim_ms: 60_000, failure: 'failed' },
    handle: (item: number) => Promise.resolve(seen.push(item)),
    idsOf: () => ({}),
  });
  expect([seen.length, seen.indexOf(500)]).toEqual([101, 10]);
});
