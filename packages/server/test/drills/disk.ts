import { execFileSync } from 'node:child_process';
import { mkdir, open, readFile, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { askOnce } from '../chaos/ask-once.ts';
import type { Desk } from '../chaos/desk.ts';
import type { Call, History } from '../chaos/history.ts';
import { endings } from '../chaos/paydesk-process.ts';
import { fromAnywhere } from '../support/desks/platform.ts';
import { memoryDirectory, temporaryDirectory } from '../support/run/temporary.ts';
import type { Drill, DrillOptions } from './drill.ts';
import { hasFailed, runUnderLoad, type Scene } from './load.ts';

/** How long the disk of the logs stays full, and how long the database fails. */
const logsFull_ms = 6_000;
const full_ms = 10_000;
/** `/healthz` answers within this time, whichever disk is full. */
const healthLimit_ms = 2_000;
/** What a process may log while its database is away for ten seconds. */
const logLimit_bytes = 200_000;

/**
 * The disk of the logs becomes full under load, and then that of the primary database. The first must go
 * unnoticed; during the second, requests may fail with 503 only. Then the database is away under more traffic, which the logs
 * tell in few lines. `/healthz` answers always, and no process ends.
 */
export const drill: Drill = {
  name: 'disk',
  bars: {},
  async run(options) {
    const home = await temporaryDirectory('drill-disk', await memoryDirectory());
    const disk = join(home.path, 'logs');
    await mkdir(disk);
    try {
      execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=16m', 'tmpfs', disk], { stdio: 'ignore' });
    } catch {
      await home.remove();
      throw new Error('This drill mounts small file systems: run it as root.');
    }
    try {
      const logs = new Set<string>();
      const logOf = (name: string): string => {
        const file = join(disk, `${name}.log`);
        logs.add(file);
        return file;
      };
      const { result, history, injected } = await runUnderLoad(
        options,
        { desk: { webs: 2, workers: 1, logOf } },
        (scene) => fillDisks(scene, { disk, logs: [...logs] }, options),
      );
      const told = [...injected.told, ...result.told];
      const problems = [
        ...(result.problems ?? []),
        ...injected.problems,
        ...failedOutside(history, injected),
      ];
      return { ...result, told, problems };
    } finally {
      execFileSync('umount', ['-l', disk]);
      await home.remove();
    }
  },
};

interface Injected {
  /** When the database failed, until all processes were ready again. */
  from_ms: number;
  to_ms: number;
  told: string[];
  problems: string[];
}

async function fillDisks(
  { desk }: Scene,
  { disk, logs }: { disk: string; logs: readonly string[] },
  { log }: DrillOptions,
): Promise<Injected> {
  const health = watchHealth(desk.processes.map(({ port }) => port));

  log('the disk of the logs is full');
  await fill(disk);
  await pause(logsFull_ms);
  await rm(join(disk, 'ballast'));
  log('the disk of the logs has room again');
  await pause(3_000);
  const problems = await linesAfter(logs);

  const from_ms = performance.now();
  const node = desk.database.primary();
  const outages = { logs, log, problems, told: [] as string[] };
  await outage(desk, outages, "the database's disk is full", async () => {
    await desk.fillDisk(node, true);
    await pause(full_ms);
    await desk.fillDisk(node, false);
    // It may have ended where it could not write its own log; its supervisor starts it again.
    await desk.database.revive(node);
  });
  await outage(desk, outages, 'the database is away', async () => {
    await desk.database.kill(node);
    const flood = startFlood(desk.url);
    await pause(full_ms);
    await flood.stop();
    await desk.database.revive(node);
  });
  const to_ms = performance.now();
  const { slowest_ms, failures, asked } = health.stop();
  if (failures.length > 0) problems.push(`/healthz failed ${failures.length} times: ${failures[0] ?? ''}`);
  const { complaints } = desk;
  const ended = Object.values(endings);
  problems.push(...complaints.filter((line) => ended.some((words) => line.includes(words))));
  return {
    ...{ from_ms, to_ms, problems },
    told: [`/healthz: ${asked} answers, the slowest after ${Math.round(slowest_ms)} ms`, ...outages.told],
  };
}

/** Lets the database fail, waits until all is well again, and looks at what the logs took of it. */
async function outage(
  desk: Desk,
  {
    logs,
    log,
    problems,
    told,
  }: { logs: readonly string[]; log: DrillOptions['log']; problems: string[]; told: string[] },
  words: string,
  fail: () => Promise<void>,
): Promise<void> {
  const sizes = await sizesOf(logs);
  log(words);
  const from_ms = performance.now();
  await fail();
  await desk.untilReady(desk.processes);
  const seconds = (performance.now() - from_ms) / 1_000;
  log(`${words}: over after ${seconds.toFixed(1)} s`);
  // The line that tells of repetitions comes two seconds after the last.
  await pause(3_000);
  const written = (await sizesOf(logs)).map((size, i) => size - (sizes[i] ?? 0));
  told.push(`${words}: the logs grew by ${written.join(', ')} bytes`);
  for (const [i, size] of written.entries()) {
    if (size > logLimit_bytes * Math.max(1, seconds / 10)) {
      problems.push(`${logs[i] ?? ''} grew by ${size} bytes in ${seconds.toFixed(1)} s`);
    }
  }
}

/** Buyers who open a checkout, about 100 a second. Each asks the database. */
function startFlood(url: string) {
  const asked: Promise<unknown>[] = [];
  const timer = setInterval(() => {
    asked.push(askOnce(`${url}/checkout/mp_01ARZ3NDEKTSV4RRFFQ69G5FAV?token=none`, 'GET', fromAnywhere()));
  }, 10);
  return {
    async stop() {
      clearInterval(timer);
      await Promise.all(asked);
    },
  };
}

/** Takes all that is left of a file system. */
async function fill(disk: string): Promise<void> {
  const file = await open(join(disk, 'ballast'), 'w');
  const block = Buffer.alloc(4_096);
  try {
    for (;;) if ((await file.write(block)).bytesWritten < block.length) break;
  } catch {
    // Nothing is left.
  } finally {
    await file.close();
  }
}

/** Asks each process again and again whether it runs. */
function watchHealth(ports: readonly number[]) {
  const seen = { asked: 0, slowest_ms: 0, failures: [] as string[] };
  const ask = async (port: number): Promise<void> => {
    const { status, from_ms, to_ms } = await askOnce(`http://127.0.0.1:${port}/healthz`, 'GET', {});
    const took_ms = to_ms - from_ms;
    seen.asked++;
    seen.slowest_ms = Math.max(seen.slowest_ms, took_ms);
    if (status !== 200 || took_ms > healthLimit_ms)
      seen.failures.push(`${status} after ${Math.round(took_ms)} ms`);
  };
  const timer = setInterval(() => {
    for (const port of ports) void ask(port);
  }, 250);
  return {
    stop() {
      clearInterval(timer);
      return seen;
    },
  };
}

const sizesOf = (files: readonly string[]): Promise<number[]> =>
  Promise.all(files.map(async (file) => (await stat(file)).size));

/** Each log is whole: every line is JSON, and lines have come since there is room. */
async function linesAfter(logs: readonly string[]): Promise<string[]> {
  const problems: string[] = [];
  for (const file of logs) {
    const lines = (await readFile(file, 'utf8')).trimEnd().split('\n');
    const broken = lines.filter((line) => !isJson(line));
    if (broken.length > 0) problems.push(`${file} has ${broken.length} broken lines`);
    const { time = '' } = JSON.parse(lines.at(-1) ?? '{}') as { time?: string };
    const age_ms = performance.timeOrigin + performance.now() - Date.parse(time);
    // A worker without work may be silent.
    if (file.includes('web') && !(age_ms < 3_500)) problems.push(`${file} has no line since there is room`);
  }
  return problems;
}

function isJson(line: string): boolean {
  try {
    JSON.parse(line);
    return true;
  } catch {
    return false;
  }
}

/** Failures that the full disk of the database does not explain, and those within it that are not 503. */
function failedOutside({ calls }: History, { from_ms, to_ms }: Injected): string[] {
  const isWithin = (call: Call): boolean => call.to_ms >= from_ms && call.from_ms <= to_ms;
  return calls
    .filter((call) => hasFailed(call) && (call.status !== 503 || !isWithin(call)))
    .slice(0, 20)
    .map(
      (call) =>
        `${call.kind} was answered with ${call.status === 0 ? 'nothing' : `${call.status} ${call.error}`}${isWithin(call) ? '' : ' while only the logs or nothing was full'}`,
    );
}
