import { randomInt } from 'node:crypto';
import { expect, test } from 'vitest';
import { type CrashReport, embedded, runCrashes } from './crash-run.ts';

/** Kills that hit no request prove nothing. Which they hit depends on the machine, so they go on until they have. */
const hasMetEverything = ({ lost_creations, lost_starts, catalog, ...report }: CrashReport): boolean =>
  Math.min(
    ...[lost_creations, lost_starts, report.paid_by_ptk - 2, report.paid_by_card - 2],
    ...[catalog.paid_by_ptk, catalog.paid_by_card, catalog.cancelled, catalog.codes],
  ) > 0;

test('R-142, R-148, R-101, R-201, R-278, R-362, D-177, D-178 fifteen kills at random moments under load lose nothing', async () => {
  const seed = randomInt(2 ** 31);
  const report = await runCrashes({
    kills: 15,
    until: hasMetEverything,
    seed,
    database: embedded,
    log: (line) => {
      console.log(`crash: ${line}`);
    },
  });
  const per_kill_ms = Math.round(report.took_ms / report.kills);
  console.log(`crash: ${per_kill_ms} ms a kill; ${JSON.stringify(report)}`);
  expect(report.problems).toEqual([]);
  expect(report.kills).toBeGreaterThanOrEqual(15);
  expect(hasMetEverything(report), 'each kind of request was met').toBe(true);
  expect(report.events).toBeGreaterThan(report.orders);
}, 1_800_000);
