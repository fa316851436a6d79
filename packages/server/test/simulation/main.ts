import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { readOptions, wholeNumber as readWholeNumber } from '../support/run/command-options.ts';
import { markdownTable, publishSection, sourceCommit } from '../support/run/reliability.ts';
import { openOwnSimulation } from './own-simulation.ts';
import { sceneOf } from './scenes.ts';
import { openProcesses } from './several-processes.ts';
import { type Report, type Simulation, tally } from './simulate.ts';

const usage = `npm run simulate -- --seeds N [--from S] [--steps K] [--scene NAME] [--until-broken] [--database URL]
  [--processes P] [--progress FILE] [--publish]

Runs everything that moves money in random interleavings. A seed that breaks a promise is told with its whole story, and
can be run again by its number: --from S --seeds 1. Run it several times: of two actors that wait for one row, PostgreSQL
decides which goes first.
  --seeds         number of seeds (1000)
  --from          the first seed (1)
  --steps         steps of each seed (30)
  --scene         only seeds that begin with this scene
  --until-broken  stops at the first seed that breaks a promise
  --database      an empty database (a PostgreSQL of its own)
  --processes     number of processes, each with a PostgreSQL of its own (1)
  --progress      a file, with which a run that was stopped goes on where it was, at the same commit only
  --publish       writes the result of a whole run into docs/reliability.md`;

const values = readOptions(usage, {
  seeds: { type: 'string', default: '1000' },
  from: { type: 'string', default: '1' },
  steps: { type: 'string', default: '30' },
  'until-broken': { type: 'boolean', default: false },
  database: { type: 'string' },
  scene: { type: 'string', default: '' },
  processes: { type: 'string', default: '1' },
  progress: { type: 'string' },
  publish: { type: 'boolean', default: false },
});

const wholeNumber = (name: 'seeds' | 'from' | 'steps' | 'processes'): number =>
  readWholeNumber(name, values[name]);

/** Which run it is: its seeds at its commit. */
interface Run {
  commit: string;
  from: number;
  steps: number;
  scene: string;
}

/** The progress so far, as the progress file keeps it. */
interface Done extends Run {
  /** All seeds before it have been run. */
  next: number;
  broken: number[];
  reached: Record<string, number>;
}

/** How many seeds pass between two writes of the progress file. */
const saveEvery = 20;

const [from, seeds, steps] = [wholeNumber('from'), wholeNumber('seeds'), wholeNumber('steps')];
const run: Run = { commit: sourceCommit(), from, steps, scene: values.scene };
const done = readDone();
const simulations = await openAll(wholeNumber('processes'));
let stopped = false;
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => (stopped = true));
try {
  await Promise.all(simulations.map(runSome(done.next)));
} finally {
  save();
  await Promise.all(simulations.map((simulation) => simulation.close()));
}
console.log(Object.fromEntries(Object.entries(done.reached).sort()));
const passed = done.next - from;
console.log(
  `${done.broken.length === 0 ? 'Every promise held' : `${done.broken.length} broke a promise`} in ${passed} seeds of ${steps} steps.`,
);
const isWhole = passed >= seeds && values.scene === '';
if (values.publish && isWhole) publish();
else if (values.publish) console.log(`Not published: a part of the ${seeds} seeds is missing.`);
// Hanging work would keep the process alive.
process.exit(done.broken.length === 0 && (isWhole || !values.publish) ? 0 : 1);

async function openAll(processes: number): Promise<Simulation[]> {
  if (processes === 1) return [await openOwnSimulation(values.database)];
  if (values.database === undefined) return openProcesses(processes);
  throw new Error('Several processes need a database each: leave --database out.');
}

/** Each simulation runs the next seed that no other has begun; the results are noted in the order of the seeds. */
function runSome(first: number): (simulation: Simulation) => Promise<void> {
  let next = first;
  const ended = new Map<number, Report | null>();
  return async (simulation) => {
    while (!stopped && next < from + seeds) {
      const seed = next++;
      const report = sceneOf(seed).includes(values.scene) ? await simulation.run(seed, steps) : null;
      ended.set(seed, report);
      for (let other = ended.get(done.next); other !== undefined; other = ended.get(done.next)) {
        ended.delete(done.next++);
        noteEnd(other);
      }
      if (report?.hung === true || (values['until-broken'] && (report?.problems.length ?? 0) > 0)) {
        stopped = true;
      }
    }
  };
}

function noteEnd(report: Report | null): void {
  if (report !== null) note(report);
  if (done.next % saveEvery === 0) save();
  if (report !== null && (done.next - from) % 100 === 0) {
    console.log(`${done.next - from} seeds, ${done.broken.length} broken`);
  }
}

function note(report: Report): void {
  const reached = new Map(Object.entries(done.reached));
  tally(reached, report);
  done.reached = Object.fromEntries(reached);
  if (report.problems.length === 0) return;
  done.broken.push(report.seed);
  console.log(`seed ${report.seed}: ${report.problems.join('\n  ')}\n  after: ${report.story.join(', ')}`);
}

function readDone(): Done {
  if (values.progress === undefined || !existsSync(values.progress)) {
    return { ...run, next: from, broken: [], reached: {} };
  }
  const known = JSON.parse(readFileSync(values.progress, 'utf8')) as Done;
  for (const name of ['commit', 'from', 'steps', 'scene'] as const) {
    if (known[name] === run[name]) continue;
    throw new Error(
      `${values.progress} is of another run: its ${name} is "${known[name]}", not "${run[name]}".`,
    );
  }
  return known;
}

function save(): void {
  if (values.progress === undefined) return;
  // Renamed, so that a run that is stopped leaves no half of a file.
  writeFileSync(`${values.progress}.new`, JSON.stringify(done));
  renameSync(`${values.progress}.new`, values.progress);
}

function publish(): void {
  const { broken, commit, reached } = done;
  publishSection('simulate', [
    `Seeds ${from} to ${done.next - 1}, ${steps} steps each, at ${commit}.`,
    `Seeds that broke a promise: ${broken.length === 0 ? 'none' : broken.join(', ')}.`,
    '',
    ...markdownTable(['reached', 'times'], Object.entries(reached).sort()),
  ]);
}
