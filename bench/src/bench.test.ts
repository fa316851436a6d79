import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Bench, createBench } from './bench.ts';
import type { Databases } from './database/database.ts';
import { readOptions } from './options.ts';
import { createCleanup } from './processes/cleanup.ts';

let dir: string;

beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'bench-'));
});
afterAll(() => rm(dir, { recursive: true }));

/** A bench that compares with a checkout, and starts nothing. */
const against = (checkout: string): Bench =>
  createBench({
    options: readOptions(['--against', checkout, '--cpu-prof', 'profiles'], ['checkouts']),
    ...{
      dir,
      signal: new AbortController().signal,
      cleanup: createCleanup(),
      say: () => undefined,
    },
    open: () => Promise.resolve({ stop: () => Promise.resolve() } as Databases),
  });

test('D-647 another checkout that is not built is refused, with what to run', async () => {
  const checkout = join(dir, 'unbuilt');
  await expect(against(checkout).ofOtherCheckout()).rejects.toThrow(
    `--against: ${checkout} is not a built checkout: run "npm ci" and "npm run build" there.`,
  );
});

test('D-647 another checkout has a program and CPU profiles of its own', async () => {
  const checkout = join(dir, 'built');
  await mkdir(join(checkout, 'packages/server/dist'), { recursive: true });
  const bench = against(checkout);
  const other = await bench.ofOtherCheckout();
  expect([bench.cpu_prof, other?.cpu_prof]).toEqual(['profiles', join('profiles', 'other')]);
  expect(other?.program).toBe(join(checkout, 'packages/server/bin/paydesk.js'));
});
