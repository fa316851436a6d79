import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { migrate } from '../../src/base/pg/index.ts';
import { openEmbedded } from '../../src/embedded/open-embedded.ts';
import { markdownTable, publishSection, sourceCommit } from '../support/reliability.ts';
import { sceneOf } from './scenes.ts';
import { openSimulation, type Report, type Simulation, tally } from './simulate.ts';

/**
 * `npm run simulate -- --seeds N [--from S] [--steps K] [--scene NAME] [--until-broken] [--database URL]
 * [--progress FILE] [--publish]`: as many seeds as one likes, or those of them that begin with a scene, on a PostgreSQL
 * of its own or in an empty database that is given. A seed that breaks a promise is told with its whole story, and can
 * be run again by its number: `--from S --seeds 1`. With a progress file a run that was stopped goes on where it was.
 * `--publish` writes the result into docs/reliability.md.
 */

const { values } = parseArgs({
  options: {
    seeds: { type: 'string', default: '1000' },
    from: { type: 'string', default: '1' },
    steps: { type: 'string', default: '30' },
    'until-broken': { type: 'boolean', default: false },
    database: { type: 'string' },
    scene: { type: 'string', default: '' },
    progress: { type: 'string' },
    publish: { type: 'boolean', default: false },
  },
});

function wholeNumber(name: 'seeds' | 'from' | 'steps'): number {
  if (/^\d{1,10}$/.test(values[name])) return Number(values[name]);
  throw new Error(`--${name} must be a whole number, not "${values[name]}".`);
}

/** The progress so far, as the progress file keeps it. */
interface Done {
  next: number;
  broken: number[];
  /** How many seeds ran at which commit. */
  commits: Record<string, number>;
  reached: Record<string, number>;
}

/** How many seeds pass between two writes of the progress file. */
const saveEvery = 20;

const [from, seeds, steps] = [wholeNumber('from'), wholeNumber('seeds'), wholeNumber('steps')];
const done = readDone();
const commit = sourceCommit();
const server = values.database === undefined ? await ownServer() : givenDatabase(values.database);
try {
  await migrate(server.url);
  const simulation = await openSimulation(server.url);
  try {
    await runAll(simulation);
  } finally {
    await simulation.close();
  }
} finally {
  save();
  await server.stop();
}
console.log(Object.fromEntries(Object.entries(done.reached).sort()));
const passed = done.next - from;
console.log(
  `${done.broken.length === 0 ? 'Every promise held' : `${done.broken.length} broke a promise`} in ${passed} seeds of ${steps} steps.`,
);
if (values.publish) publish();
// Hanging work would keep the process alive.
process.exit(done.broken.length === 0 ? 0 : 1);

async function runAll(simulation: Simulation): Promise<void> {
  while (done.next < from + seeds) {
    const seed = done.next++;
    if (!sceneOf(seed).includes(values.scene)) continue;
    const report = await simulation.run(seed, steps);
    note(report);
    if (report.hung === true || (report.problems.length > 0 && values['until-broken'])) return;
    if (done.next % saveEvery === 0) save();
    if ((done.next - from) % 100 === 0) {
      console.log(`${done.next - from} seeds, ${done.broken.length} broken`);
    }
  }
}

function note(report: Report): void {
  const reached = new Map(Object.entries(done.reached));
  tally(reached, report);
  done.reached = Object.fromEntries(reached);
  done.commits[commit] = (done.commits[commit] ?? 0) + 1;
  if (report.problems.length === 0) return;
  done.broken.push(report.seed);
  console.log(`seed ${report.seed}: ${report.problems.join('\n  ')}\n  after: ${report.story.join(', ')}`);
}

function readDone(): Done {
  const nothing: Done = { next: from, broken: [], commits: {}, reached: {} };
  if (values.progress === undefined) return nothing;
  try {
    return JSON.parse(readFileSync(values.progress, 'utf8')) as Done;
  } catch {
    return nothing;
  }
}

function save(): void {
  if (values.progress === undefined) return;
  // Renamed, so that a run that is stopped leaves no half of a file.
  writeFileSync(`${values.progress}.new`, JSON.stringify(done));
  renameSync(`${values.progress}.new`, values.progress);
}

function publish(): void {
  const { broken, commits, reached } = done;
  const at = Object.entries(commits).map(([name, count]) => `${count} at ${name}`);
  publishSection('simulate', [
    `Seeds ${from} to ${done.next - 1}, ${steps} steps each: ${at.join(', ')}.`,
    `Seeds that broke a promise: ${broken.length === 0 ? 'none' : broken.join(', ')}.`,
    '',
    ...markdownTable(['reached', 'times'], Object.entries(reached).sort()),
  ]);
}

interface Server {
  url: string;
  stop(): Promise<void>;
}

async function ownServer(): Promise<Server> {
  const data_dir = await mkdtemp(join(tmpdir(), 'paydesk-simulation-'));
  const embedded = await openEmbedded({ data_dir, purpose: 'npm run simulate', durable: false });
  return {
    url: embedded.url,
    async stop() {
      await embedded.stop();
      await rm(data_dir, { recursive: true, force: true });
    },
  };
}

function givenDatabase(url: string): Server {
  return { url, stop: () => Promise.resolve() };
}
