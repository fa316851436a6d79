import { randomInt } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { publishSection } from '../support/reliability.ts';
import { runChaos } from './chaos-run.ts';
import { type FaultKind, faultKinds } from './faults.ts';
import { sectionOf } from './report.ts';

/**
 * `npm run chaos -- --minutes N [--seed S] [--only KIND]... [--without KIND]... [--clients N] [--out FILE] [--history FILE] [--publish]`:
 * three web and two worker processes, a primary and a standby database, Redis and a card provider under faults. `--only`
 * and `--without` choose the kinds; `--out` writes the whole report as JSON, `--history` what the
 * observer saw, `--publish` a section of docs/reliability.md.
 */

const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '5' },
    seed: { type: 'string', default: String(randomInt(2 ** 31)) },
    clients: { type: 'string', default: '6' },
    only: { type: 'string', multiple: true, default: [] },
    without: { type: 'string', multiple: true, default: [] },
    out: { type: 'string' },
    history: { type: 'string' },
    publish: { type: 'boolean', default: false },
  },
});

function numberOf(name: 'minutes' | 'seed' | 'clients'): number {
  if (/^\d{1,10}(\.\d+)?$/.test(values[name])) return Number(values[name]);
  throw new Error(`--${name} must be a number, not "${values[name]}".`);
}

function chosenKinds(): Set<FaultKind> {
  const all = Object.keys(faultKinds) as FaultKind[];
  const wrong = [...values.only, ...values.without].find((name) => !all.some((kind) => kind === name));
  if (wrong !== undefined) throw new Error(`"${wrong}" is none of: ${all.join(', ')}.`);
  return new Set(
    all.filter(
      (kind) => (values.only.length === 0 || values.only.includes(kind)) && !values.without.includes(kind),
    ),
  );
}

const inDigits = (_: string, value: unknown): unknown =>
  typeof value === 'bigint' ? value.toString() : value;

const report = await runChaos({
  minutes: numberOf('minutes'),
  seed: numberOf('seed'),
  clients: numberOf('clients'),
  kinds: chosenKinds(),
  log: (line) => {
    console.log(`chaos: ${line}`);
  },
  keep: (history) => {
    if (values.history !== undefined) writeFileSync(values.history, JSON.stringify(history, inDigits, 1));
  },
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
// What was killed may have left handles.
process.exit(isSound ? 0 : 1);
