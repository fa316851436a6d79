import { randomInt } from 'node:crypto';
import { expect, test } from 'vitest';
import { embedded, runCrashes } from './crash-run.ts';

test('R-142, R-148, R-101, R-201, R-278, R-362, D-177, D-178 fifteen kills at random moments under load lose nothing', async () => {
  const seed = randomInt(2 ** 31);
  const report = await runCrashes({
    kills: 15,
    seed,
    database: embedded,
    log: (line) => {
      console.log(`crash: ${line}`);
    },
  });
  const per_kill_ms = Math.round(report.took_ms / report.kills);
  console.log(`crash: ${per_kill_ms} ms a kill; ${JSON.stringify(report)}`);
  expect(report.problems).toEqual([]);
  // Kills that hit no request prove nothing.
  expect(report.kills).toBe(15);
  expect(report.lost_creations).toBeGreaterThan(0);
  expect(report.lost_starts).toBeGreaterThan(0);
  expect(report.paid_by_ptk).toBeGreaterThan(2);
  expect(report.paid_by_card).toBeGreaterThan(2);
  expect(report.catalog.paid_by_ptk).toBeGreaterThan(0);
  expect(report.catalog.paid_by_card).toBeGreaterThan(0);
  expect(report.catalog.cancelled).toBeGreaterThan(0);
  expect(report.catalog.codes).toBeGreaterThan(0);
  expect(report.events).toBeGreaterThan(report.orders);
}, 600_000);
