import { expect, test } from 'vitest';
import { type Caller, createCallers } from './callers.ts';
import type { Database } from '../database/database.ts';
import type { Load } from '../load/run-load.ts';
import type { Service } from '../processes/service.ts';

let answers = 0;

/** Answers each row of a set-up plan with a new client or a new token. */
const load: Load = (_target, { rows, keep }) =>
  Promise.resolve({
    kept: rows.map(() => keep.map((name) => `${name} ${++answers}`)),
  } as Awaited<ReturnType<Load>>);

const createTestCallers = (merchants: string[]) =>
  createCallers({ service: {} as Service, db: {} as Database, load, merchants });

const usesOf = (callers: readonly Caller[]): Map<string, number> => {
  const uses = new Map<string, number>();
  for (const { token } of callers) uses.set(token, (uses.get(token) ?? 0) + 1);
  return uses;
};

test('no client creates more than a minute allows, and they take turns', async () => {
  const callers = await createTestCallers(['mr_a', 'mr_b']).forCreations(150);
  expect(callers).toHaveLength(150);
  expect([...usesOf(callers).values()]).toEqual([50, 50, 50]);
  expect(new Set(callers.map(({ merchant_no }) => merchant_no))).toEqual(new Set(['mr_a', 'mr_b']));
});

test('no client reads more than a minute allows, and none comes again', async () => {
  const source = createTestCallers(['mr_a']);
  await source.forCreations(60);
  const first = usesOf(await source.forReads(450, false));
  const second = usesOf(await source.forReads(300, false));
  expect([...first.values()].every((uses) => uses <= 300)).toBe(true);
  expect(first.size).toBe(2);
  expect([...second.values()]).toEqual([300]);
  expect([...second.keys()].filter((token) => first.has(token))).toEqual([]);
});
