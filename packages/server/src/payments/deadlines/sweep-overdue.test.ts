import { setImmediate } from 'node:timers/promises';
import { expect, test } from 'vitest';
import type { Database } from '../../base/pg/index.ts';
import type { Logger } from '../../base/log.ts';
import { type Sweepable, type SweepDeps, sweepOverdueOrders } from './sweep-overdue.ts';

test('R-193 where the sweep of one merchant fails, the pass ends after the sweep of the other', async () => {
  let finish: () => void = () => undefined;
  const finished = new Promise<void>((resolve) => (finish = resolve));
  // Each transaction looks for the overdue orders of one merchant, and finds none.
  const transaction = <T>(run: (tx: never) => Promise<T>): Promise<T> => run({ query: () => [] } as never);
  const kind: Sweepable<never> = {
    selectMerchants: () => Promise.resolve(['fails', 'lasts']),
    async lockOverdue(_tx, merchant_id) {
      if (merchant_id === 'fails') throw new Error('no database');
      await finished;
      return [];
    },
    expire: () => [],
    moveOne: () => Promise.resolve(),
  };
  const deps = {
    db: { transaction } as unknown as Database,
    clock: { now: () => new Date(0) },
    log: { error: () => undefined } as unknown as Logger,
  } as SweepDeps;

  let outcome = 'goes on';
  const pass = sweepOverdueOrders(deps, kind).catch((error: unknown) => (outcome = String(error)));
  await setImmediate();
  expect(outcome).toBe('goes on');
  finish();
  await pass;
  expect(outcome).toBe('Error: no database');
});
