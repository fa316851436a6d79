import { spawnSync } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { drillTools, ensureTools } from '../../../../scripts/lib/tools.js';
import { keptLogs } from '../support/run/kept-logs.ts';
import { type Drill, type DrillOptions, figuresOf, verdictOf } from './drill.ts';

/**
 * `npm run drill -- NAME [--seed N]`: runs one drill on this machine and prints its figures. It ends with 0 if all are
 * within their bars, with 1 if not or if the drill broke, and with 2 after a wrong argument.
 */

/** The drills. Each is the file of its name and exports `drill`. */
const drills: Record<string, string> = {
  upgrade: 'a rolling upgrade from the previous release: no failed request',
  failover: 'the primary database dies and the standby is promoted: at most 10 s of 503',
  frozen: 'the primary database stands still: at most 15 s of outage, every answer within 10 s',
  clock: 'every clock is 90 s off, ahead or behind: no failed request, no delivery beyond the schedule',
  disk: 'full disks of the log and of the database: nothing ends, nothing hangs',
  restore: 'a database restored to an earlier time: everything acknowledged is found again',
  pgbouncer: 'all connections through PgBouncer, which restarts under load',
  coordinator:
    'the coordinator of a Citus cluster is killed during 200 payments and releases (docs/scaling.md)',
};

const usage = [
  'Usage: npm run drill -- NAME [--seed N]',
  '',
  'Injects a fault under load, and ends with 1 if a figure is beyond its bar. The drills:',
  '',
  ...Object.entries(drills).map(([name, words]) => `  ${name.padEnd(11)} ${words}`),
  '',
  '  --seed N   repeats the choices of an earlier run',
].join('\n');

/** Prints one line for a wrong argument, and ends. */
function refuse(problem: string): never {
  console.error(`drill: ${problem} (npm run drill -- --help)`);
  process.exit(2);
}

function readArguments(): { name: string; seed: number } {
  const options = {
    help: { type: 'boolean', short: 'h', default: false },
    seed: { type: 'string', default: String(randomInt(2 ** 31)) },
  } as const;
  const { values, positionals } = parse();
  const [name, ...others] = positionals;
  if (values.help) {
    console.log(usage);
    process.exit(0);
  }
  const names = Object.keys(drills).join(', ');
  if (name === undefined) refuse(`name one of ${names}.`);
  if (others.length > 0) refuse(`one drill at a time, not "${positionals.join(' ')}".`);
  if (!Object.hasOwn(drills, name)) refuse(`"${name}" is not one of ${names}.`);
  if (!/^\d{1,10}$/.test(values.seed)) refuse(`--seed must be a whole number, not "${values.seed}".`);
  return { name, seed: Number(values.seed) };

  function parse() {
    try {
      return parseArgs({ options, allowPositionals: true });
    } catch (error) {
      return refuse((error as Error).message.split('. ')[0] ?? '');
    }
  }
}

/** The drills run the built service. */
function build(): void {
  const script = fileURLToPath(new URL('../../../../scripts/build.js', import.meta.url));
  const { status } = spawnSync(process.execPath, [script], { stdio: ['ignore', 'ignore', 'inherit'] });
  if (status === 0) return;
  console.error('drill: the build failed');
  process.exit(1);
}

async function runDrill(name: string, options: Omit<DrillOptions, 'logs'>): Promise<boolean> {
  const { drill, missing } = (await import(`./${name}.ts`)) as {
    drill: Drill;
    missing?: () => string | null;
  };
  const lacks = missing?.() ?? null;
  if (lacks !== null) {
    console.log(`${name}: skipped: ${lacks}`);
    return true;
  }
  build();
  const logs = await keptLogs(`drill-${name}`);
  const passed = await tellOf(drill, { ...options, logs: logs.path }).catch((error: unknown) => {
    console.error(error);
    return false;
  });
  console.log(`${name}: ${passed ? 'passed' : 'failed'} (seed ${options.seed})`);
  await logs.end(passed);
  return passed;
}

/** Runs the drill and prints what it has found. */
async function tellOf(drill: Drill, options: DrillOptions): Promise<boolean> {
  const result = await drill.run(options);
  for (const line of result.told) console.log(line);
  for (const line of figuresOf(result)) console.log(line);
  const verdict = verdictOf(drill, result);
  for (const line of verdict) console.log(`beyond its bar: ${line}`);
  return verdict.length === 0;
}

const { name, seed } = readArguments();
if (!existsSync(new URL(`./${name}.ts`, import.meta.url))) refuse(`"${name}" is not part of this release.`);
const log = (line: string): void => {
  console.log(`drill: ${line}`);
};
try {
  await ensureTools(log, drillTools(name));
} catch (error) {
  refuse((error as Error).message);
}
const passed = await runDrill(name, { seed, log });
// What was killed may have left handles.
process.exit(passed ? 0 : 1);
