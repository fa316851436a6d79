import { randomInt } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { readOptions, refuse, wholeNumber } from '../support/run/command-options.ts';
import { keptLogs } from '../support/run/kept-logs.ts';
import { publishSection } from '../support/run/reliability.ts';
import { runChaos } from './chaos-run.ts';
import { type FaultKind, faultKinds } from './faults.ts';
import { sectionOf } from './report.ts';

const usage = `npm run chaos -- [--minutes N] [--faults N] [--seed S] [--only KIND]... [--without KIND]... [--clients N]
  [--out FILE] [--history FILE] [--publish]

Three web and two worker processes, a primary and a standby database, Redis and a card provider under faults.
Ctrl-C ends the faults; what there is is judged, and everything is stopped.
  --minutes  how long faults are injected (5)
  --faults   number of faults, where they are enough before that time (no limit)
  --seed     decides what is done when (by chance)
  --only     only faults of this kind; may be repeated
  --without  no faults of this kind; may be repeated
  --clients  number of clients (6)
  --out      file for the whole report as JSON
  --history  file for all that the observer saw
  --publish  writes the result into docs/reliability.md

Kinds: ${Object.keys(faultKinds).join(', ')}`;

const values = readOptions(usage, {
  minutes: { type: 'string', default: '5' },
  faults: { type: 'string', default: '1000000' },
  seed: { type: 'string', default: String(randomInt(2 ** 31)) },
  clients: { type: 'string', default: '6' },
  only: { type: 'string', multiple: true, default: [] },
  without: { type: 'string', multiple: true, default: [] },
  out: { type: 'string' },
  history: { type: 'string' },
  publish: { type: 'boolean', default: false },
});

function chosenKinds(): Set<FaultKind> {
  const all = Object.keys(faultKinds) as FaultKind[];
  const wrong = [...values.only, ...values.without].find((name) => !all.some((kind) => kind === name));
  if (wrong !== undefined) refuse(`"${wrong}" is not one of: ${all.join(', ')}.`);
  return new Set(
    all.filter(
      (kind) => (values.only.length === 0 || values.only.includes(kind)) && !values.without.includes(kind),
    ),
  );
}

const inDigits = (_: string, value: unknown): unknown =>
  typeof value === 'bigint' ? value.toString() : value;

const stopper = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => {
    stopper.abort();
  });
}

const logs = await keptLogs('chaos');
const report = await runChaos({
  minutes: wholeNumber('minutes', values.minutes),
  faults: wholeNumber('faults', values.faults),
  seed: wholeNumber('seed', values.seed),
  clients: wholeNumber('clients', values.clients),
  kinds: chosenKinds(),
  signal: stopper.signal,
  logs: logs.path,
  log: (line) => {
    console.log(`chaos: ${line}`);
  },
  keep: (history) => {
    if (values.history !== undefined) writeFileSync(values.history, JSON.stringify(history, inDigits, 1));
  },
}).catch(async (error: unknown) => {
  await logs.end(false);
  throw error;
});
console.log(JSON.stringify({ ...report, violations: report.violations.slice(0, 20) }, null, 2));
console.log(sectionOf(report).join('\n'));
if (values.out !== undefined) writeFileSync(values.out, JSON.stringify(report, null, 2));
if (values.publish) publishSection('chaos', sectionOf(report));
const isSound = report.violations.length === 0 && report.problems.length === 0;
console.log(
  isSound
    ? `Nothing was lost or doubled in ${report.faults} faults (seed ${report.seed}).`
    : `${report.violations.length} violations and ${report.problems.length} problems (seed ${report.seed}).`,
);
await logs.end(isSound);
// What was killed may have left handles.
process.exit(isSound ? 0 : 1);
