import { randomInt } from 'node:crypto';
import { readOptions, wholeNumber } from '../support/run/command-options.ts';
import { publishSection, sourceCommit } from '../support/run/reliability.ts';
import { type CrashReport, embedded, runCrashes } from './crash-run.ts';

const usage = `npm run crash -- --kills N [--seed S] [--database URL] [--publish]

Kills the service under load, and checks that nothing was lost.
  --kills     number of kills (100)
  --seed      decides what is done when (by chance)
  --database  an empty database (a PostgreSQL of its own)
  --publish   writes the result into docs/reliability.md`;

const values = readOptions(usage, {
  kills: { type: 'string', default: '100' },
  seed: { type: 'string', default: String(randomInt(2 ** 31)) },
  database: { type: 'string', default: embedded },
  publish: { type: 'boolean', default: false },
});

const report = await runCrashes({
  kills: wholeNumber('kills', values.kills),
  seed: wholeNumber('seed', values.seed),
  database: values.database,
  keep_broken: true,
  log: (line) => {
    console.log(`crash: ${line}`);
  },
});
console.log(JSON.stringify(report, null, 2));
console.log(
  report.problems.length === 0
    ? `Nothing was lost in ${report.kills} kills (seed ${report.seed}).`
    : `${report.problems.length} promises were broken; repeat with --kills ${report.kills} --seed ${report.seed}.`,
);
if (values.publish) publishSection('crash', sectionOf(report));
process.exitCode = report.problems.length === 0 ? 0 : 1;

function sectionOf({
  seed,
  kills,
  kills_at_start,
  orders,
  catalog,
  events,
  problems,
  ...rest
}: CrashReport): string[] {
  return [
    `${kills} kills (${kills_at_start} of a process that was starting) at commit ${sourceCommit()}, seed ${seed}.`,
    `Meanwhile ${orders} collection orders and ${catalog.orders} catalog orders, ${rest.lost_creations} creations and`,
    `${rest.lost_starts} payment starts without an answer, and ${events} notifications.`,
    `Broken promises: ${problems.length === 0 ? 'none' : problems.join('; ')}.`,
  ];
}
