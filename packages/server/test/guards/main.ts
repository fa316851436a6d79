import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { cp, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { openEmbedded } from '../../src/embedded/open-embedded.ts';
import { readOptions } from '../support/run/command-options.ts';
import { memoryDirectory } from '../support/run/temporary.ts';
import { type Guard, taggedSources, without } from './guard.ts';
import { guards } from './guards.ts';

/** Runs the simulation without one guard of the money path after the other; see its usage. */
const usage = `npm run guards -- [--only WORDS]... [--from WORDS] [--left] [--seeds N] [--write]

Takes one guard of the money path after the other away, in a copy of the sources, and runs the simulation until a seed
breaks a promise. If no seed notices that a guard is missing, the run fails, unless the list names another guard that
prevents the same.
  --only WORDS   only guards whose names have these words
  --from WORDS   begins with the first guard whose name has these words
  --left         only guards that docs/guards.md does not show as missed
  --seeds        number of seeds for each guard (300)
  --write        writes each result into docs/guards.md at once, so that an interrupted run keeps its results`;

const values = readOptions(usage, {
  only: { type: 'string', multiple: true, default: [''] },
  from: { type: 'string', default: '' },
  left: { type: 'boolean', default: false },
  seeds: { type: 'string', default: '300' },
  write: { type: 'boolean', default: false },
});

const server = fileURLToPath(new URL('../../', import.meta.url));
const root = join(server, '..', '..');
const page = join(root, 'docs', 'guards.md');
const mark = '<!-- Everything below is written by "npm run guards -- --write". -->';
const read = (file: string): string => readFileSync(join(server, file), 'utf8');
const sources = taggedSources();

/** The result of the simulation: the seed that broke a promise, and the promise; null if all held. */
type Result = { seed: number; problem: string } | null;

const place = await mkdtemp(join(tmpdir(), 'paydesk-guards-'));
const copy = join(place, 'copy');
const stripped = join(place, 'stripped');
const outcomes: { guard: Guard; result: Result }[] = [];
// One server for all, and types are stripped from each source once, so that only the seeds take time.
const data_dir = await mkdtemp(join(await memoryDirectory(), 'paydesk-guards-data-'));
const database = await openEmbedded({ data_dir, purpose: 'npm run guards', durable: false });
try {
  await mkdir(stripped);
  for (const part of ['src', 'migrations', 'test', 'package.json']) {
    await cp(join(server, part), join(copy, 'packages', 'server', part), { recursive: true });
  }
  await symlink(join(root, 'node_modules'), join(copy, 'node_modules'));
  const first = guards.findIndex(({ name }) => name.includes(values.from));
  const known = await knownRows();
  const chosen = guards.filter(
    ({ name }, i) =>
      i >= first &&
      values.only.some((words) => name.includes(words)) &&
      !(values.left && isTold(known.get(name) ?? '')),
  );
  for (const guard of chosen) {
    const changed = without(guard, sources);
    for (const [file, text] of changed) await writeFile(join(copy, 'packages', 'server', file), text);
    const result = await simulated(guard.scene ?? '');
    for (const file of changed.keys()) await writeFile(join(copy, 'packages', 'server', file), read(file));
    outcomes.push({ guard, result });
    if (values.write) await writeTable();
    console.log(`${guard.name}: ${inWords(result)}`);
  }
} finally {
  await database.stop();
  for (const directory of [data_dir, place]) await rm(directory, { recursive: true, force: true });
}
const unmissed = outcomes.filter(({ guard, result }) => result === null && guard.behind === undefined);
console.log(
  unmissed.length === 0
    ? `Each of ${outcomes.length} guards was missed, or another guard prevents the same.`
    : `Not missed: ${unmissed.map(({ guard }) => guard.name).join(', ')}.`,
);
process.exitCode = unmissed.length === 0 ? 0 : 1;

/** Runs the seeds of the copy's simulation that begin with a scene, until one breaks a promise. */
async function simulated(scene: string): Promise<Result> {
  const support = join(copy, 'packages', 'server', 'test');
  const loader = [
    '--conditions',
    'paydesk-source',
    '--import',
    join(support, 'support', 'run', 'register-typescript.js'),
  ];
  const url = await emptyDatabase();
  const asked = ['--seeds', values.seeds, '--scene', scene, '--until-broken', '--database', url];
  const child = spawn(process.execPath, [...loader, join(support, 'simulation', 'main.ts'), ...asked], {
    cwd: copy,
    env: { ...process.env, PAYDESK_STRIPPED: stripped },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let said = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => (said += text));
  }
  const [code] = (await once(child, 'close')) as [number | null];
  if (code === 0) return null;
  const broken = /^seed (\d+): (.*)$/m.exec(said);
  if (broken === null) throw new Error(`The simulation did not run: ${said.slice(-2_000)}`);
  return { seed: Number(broken[1]), problem: broken[2] ?? '' };
}

/** Empties the one database that all simulations use, one after the other, and gives its address. */
async function emptyDatabase(): Promise<string> {
  const client = new pg.Client({ connectionString: database.url });
  await client.connect();
  try {
    await client.query('DROP DATABASE IF EXISTS simulation WITH (FORCE)');
    await client.query('CREATE DATABASE simulation TEMPLATE template0');
  } finally {
    await client.end();
  }
  return database.url.replace(/\/[^/]*$/, '/simulation');
}

function inWords(result: Result): string {
  return result === null ? `not missed in ${values.seeds} seeds` : `seed ${result.seed}, ${result.problem}`;
}

/** The page up to its table, and from there on. */
async function pageParts(): Promise<[text: string, table: string]> {
  const [text = '', table = ''] = (await readFile(page, 'utf8')).split(mark);
  return [text, table];
}

/** The rows of the page, by the name of their guard. */
async function knownRows(): Promise<Map<string, string>> {
  const [, table] = await pageParts();
  return new Map(table.split('\n').map((line) => [line.split(' | ')[0]?.slice(2) ?? '', line]));
}

/** Whether a row names a seed that notices the missing guard. */
function isTold(row: string): boolean {
  return / \| seed \d+: [^|]+ \|$/.test(row);
}

/** Writes the table of all guards: the findings of this run, and earlier findings for the others. */
async function writeTable(): Promise<void> {
  const known = await knownRows();
  const rows = guards.map((guard) => {
    const outcome = outcomes.find((candidate) => candidate.guard === guard);
    return outcome === undefined
      ? (known.get(guard.name) ?? rowOf(guard, 'not run yet'))
      : rowOf(guard, seenOf(outcome));
  });
  const head = ['| guard | what it prevents | where | without it |', '| --- | --- | --- | --- |'];
  const [text] = await pageParts();
  await writeFile(page, `${text}${mark}\n\n${[...head, ...rows].join('\n')}\n`);
}

function seenOf({ guard, result }: { guard: Guard; result: Result }): string {
  if (result !== null) return `seed ${result.seed}: ${result.problem.split(':')[0] ?? ''}`;
  return guard.behind === undefined
    ? `not missed in ${values.seeds} seeds`
    : `not missed: ${guard.behind} prevents it`;
}

function rowOf(guard: Guard, seen: string): string {
  const { name, prevents } = guard;
  const files = new Set(Array.from(without(guard, sources).keys(), (file) => `\`${basename(file)}\``));
  return `| ${name} | ${prevents} | ${[...files].join(', ')} | ${seen} |`;
}
