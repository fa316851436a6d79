/** What benchmarks work with: the things they measure, started on demand, and the ways to measure them. */
import { access, mkdir } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { BenchError } from './bench-error.ts';
import { type Caller, type Callers, createCallers } from './setup/callers.ts';
import type { Server } from './processes/children.ts';
import type { Cleanup } from './processes/cleanup.ts';
import { openCluster } from './database/cluster.ts';
import { type Database, type Databases, openDatabases } from './database/database.ts';
import type { Pace } from './load/plan.ts';
import { type Load, type Measurement, runLoad } from './load/run-load.ts';
import type { Options } from './options.ts';
import { creation, creationRow, keptMembers, type Order, orderOf } from './setup/orders.ts';
import { type Measured, openPgbench, type Pgbench } from './database/pgbench.ts';
import { type Platform, setUpPlatform } from './setup/platform.ts';
import { type Certificate, makeCertificate, type Receivers, startReceivers } from './processes/receivers.ts';
import { rowsOfOrder, type StoredRow } from './database/reference-rows.ts';
import { startRoute } from './processes/route.ts';
import { program, runProgram, type Service, startService } from './processes/service.ts';

/**
 * What a benchmark works with. Each member starts when a benchmark first asks for it, and stops at the end.
 */
export interface Bench {
  seconds: number;
  /** The number of orders of `growth`. */
  orders: number;
  /** The directory that keeps the databases of `growth` for the next run; null: none. */
  keep: string | null;
  /** A directory for this run only. */
  dir: string;
  /** Where the service writes its CPU profiles; null: nowhere. */
  cpu_prof: string | null;
  say(line: string): void;
  load: Load;
  pgbench(): Promise<Pgbench>;
  databases(): Promise<Databases>;
  /** The server whose databases stay for the next run, if there is one. */
  keptDatabases(): Promise<Databases>;
  /** The same on the cluster that `CITUS_URL` names, with databases and a service of its own; null: none is named. */
  onCluster(): Promise<Bench | null>;
  /** The same for the built checkout of `--against`, with databases of its own on the same server; null: none is named. */
  ofOtherCheckout(): Promise<Bench | null>;
  /** The built program of the service. */
  program: string;
  /** The database of the service. */
  database(): Promise<Database>;
  service(): Promise<Service>;
  platform(): Promise<Platform>;
  /** Clients of many merchants. */
  callers(): Promise<Callers>;
  /** Clients of one merchant: with a hold, or without one. */
  callersOfOne(which?: 'one_merchant' | 'merchant_without_hold'): Promise<Callers>;
  /** A database with the schema of the service, only for pgbench, and the rows of one order as a pattern. */
  reference(): Promise<{ database: Database; rows: StoredRow[] }>;
  route(): Promise<Server>;
  /** Certificate and key of the receivers. The service trusts the certificate. */
  certificate(): Promise<Certificate>;
  receivers(): Promise<Receivers>;
  signal: AbortSignal;
  /** Starts something when it is first asked for. The cleanup stops it. */
  startOnce<T extends { stop(): Promise<void> }>(what: string, start: () => Promise<T>): Promise<T>;
  /** Creates or measures something once, for several benchmarks. */
  once<T>(key: string, measure: () => Promise<T>): Promise<T>;
}

/** Number of connections of most measurements and of their references. */
export const connections = 32;

/** Seconds before the timed part of a measurement. */
export const warm_up_s = 1;

/** Lowest rate, in requests per second, that a measurement prepares for. */
const lowest_rate = 100;

/** Number of receivers that answer, and of receivers that hang: one of ten. */
const receiverCounts: [number, number] = [36, 4];

/** Number of merchants that the references spread their rows over. */
export const merchantsOf = async (bench: Bench): Promise<number> => (await bench.platform()).merchants.length;

export interface BenchDeps {
  options: Options;
  /** A directory for this run only. */
  dir: string;
  signal: AbortSignal;
  cleanup: Cleanup;
  say: (line: string) => void;
  /** Opens the server of the databases; by default the benchmark’s own. */
  open?: () => Promise<Databases>;
  /** The built program of the service; by default that of this checkout. */
  built?: string;
}

export function createBench(deps: BenchDeps): Bench {
  const { options, dir, signal, cleanup, say } = deps;
  const { open = () => openDatabases(join(dir, 'postgresql')), built = program } = deps;
  const made = new Map<string, Promise<unknown>>();
  const once = <T>(key: string, make: () => Promise<T>): Promise<T> => {
    const known = made.get(key) as Promise<T> | undefined;
    if (known !== undefined) return known;
    signal.throwIfAborted();
    const making = make();
    made.set(key, making);
    return making;
  };
  const startOnce = <T extends { stop(): Promise<void> }>(
    what: string,
    start: () => Promise<T>,
  ): Promise<T> =>
    once(what, async () => {
      const running = await start();
      cleanup.add(what, () => running.stop());
      return running;
    });

  const load: Load = (target, plan) => runLoad(target, plan, signal);
  const callersOf = async (merchants: readonly string[]): Promise<Callers> =>
    createCallers({ service: await bench.service(), db: await bench.database(), load, merchants });
  const createMigrated = (name: string): Promise<Database> => createMigratedDatabase(bench, name);

  const bench: Bench = {
    seconds: options.seconds,
    orders: options.orders,
    keep: options.keep,
    dir,
    cpu_prof: options.cpu_prof,
    say,
    load,
    once,
    startOnce,
    pgbench: () => once('pgbench', () => Promise.resolve(openPgbench(dir, signal, say))),
    databases: () => startOnce('PostgreSQL', open),
    keptDatabases: () => (options.keep === null ? bench.databases() : openKeptDatabases(bench, options.keep)),
    onCluster: () => once('cluster', () => createOnCluster(deps)),
    ofOtherCheckout: () => once('other checkout', () => createOfOtherCheckout(deps, bench)),
    program: built,
    database: () => once('database', () => createMigrated('service')),
    service: () =>
      startOnce('the service', async () => {
        const { url } = await bench.database();
        const { cert_file } = await bench.certificate();
        const { cpu_prof } = options;
        const said = { database_url: url, receivers_ca: cert_file, dir, cpu_prof, signal };
        return startService({ program: built, ...said });
      }),
    platform: () =>
      once('platform', async () => {
        say('setting up merchants and channels');
        return setUpPlatform(await bench.service());
      }),
    callers: () => once('callers', async () => callersOf((await bench.platform()).merchants)),
    callersOfOne: (which = 'one_merchant') =>
      once(`callers of ${which}`, async () => callersOf([(await bench.platform())[which]])),
    reference: () =>
      once('reference', async () => {
        const [pattern] = await createOrders(bench, await bench.callers(), 1);
        const rows = await rowsOfOrder(await bench.database(), pattern?.order_no ?? '');
        return { database: await createMigrated('reference'), rows };
      }),
    route: () => startOnce('the bare route', () => startRoute(dir, signal)),
    certificate: () => once('certificate', () => makeCertificate(dir)),
    receivers: () =>
      startOnce('the receivers', async () =>
        startReceivers(dir, await bench.certificate(), receiverCounts, signal),
      ),
    signal,
  };
  return bench;
}

async function createOnCluster(deps: BenchDeps): Promise<Bench | null> {
  const url = process.env.CITUS_URL;
  if (url === undefined) return null;
  return createBench({ ...(await inFolder(deps, 'cluster')), open: () => openCluster(url) });
}

/** Gives a bench folders of its own, for its files and its CPU profiles. */
async function inFolder(deps: BenchDeps, name: string): Promise<BenchDeps> {
  const { cpu_prof } = deps.options;
  const dir = join(deps.dir, name);
  await mkdir(dir);
  return { ...deps, dir, options: { ...deps.options, cpu_prof: cpu_prof && join(cpu_prof, name) } };
}

async function createOfOtherCheckout(deps: BenchDeps, bench: Bench): Promise<Bench | null> {
  const { against } = deps.options;
  if (against === null) return null;
  const built = resolve(against, 'packages/server/bin/paydesk.js');
  await access(resolve(against, 'packages/server/dist')).catch(() => {
    throw new BenchError(
      `--against: ${against} is not a built checkout: run "npm ci" and "npm run build" there.`,
    );
  });
  const databases = await bench.databases();
  // The bench itself stops the server.
  const stop = (): Promise<void> => Promise.resolve();
  const open = (): Promise<Databases> =>
    Promise.resolve({ ...databases, create: (name) => databases.create(`other_${name}`), stop });
  return createBench({ ...(await inFolder(deps, 'other')), built, open });
}

function openKeptDatabases(bench: Bench, keep: string): Promise<Databases> {
  return bench.startOnce('the kept PostgreSQL', async () => {
    // As root, PostgreSQL runs as another user, who needs access to the directory.
    await mkdir(keep, { recursive: true, mode: 0o711 });
    return openDatabases(join(keep, 'postgresql'));
  });
}

/** Creates a database with the schema of the service. */
export async function createMigratedDatabase(
  bench: Bench,
  name: string,
  databases?: Databases,
): Promise<Database> {
  const server = databases ?? (await bench.databases());
  const database = await server.create(name);
  await runProgram(bench.program, database.url, 'migrate');
  if (server.shards !== undefined)
    await runProgram(bench.program, database.url, 'distribute', '--shards', String(server.shards));
  return database;
}

/** Creates orders for a measurement. */
export async function createOrders(bench: Bench, callers: Callers, count: number): Promise<Order[]> {
  const makers = await callers.forCreations(count);
  const { kept } = await bench.load(await bench.service(), {
    connections,
    pace: { kind: 'all' },
    template: creation,
    rows: makers.map(creationRow),
    repeat: false,
    expect: 201,
    keep: keptMembers,
  });
  return kept.flatMap((members, i) => {
    const caller: Caller | undefined = makers[i];
    return members === null || caller === undefined ? [] : [orderOf(members, caller)];
  });
}

/**
 * Measures something between two halves of its reference, so that a change of the machine’s speed affects
 * both. Returns the mean of the halves.
 */
export async function measureBetweenReferences<T>(
  bench: Bench,
  reference: (seconds: number) => Promise<Measured>,
  measure: () => Promise<T>,
): Promise<{ result: T; reference: Measured }> {
  const half = Math.max(2, bench.seconds / 2);
  const before = await reference(half);
  await checkpoint(bench);
  const result = await measure();
  await checkpoint(bench);
  const after = await reference(half);
  await checkpoint(bench);
  return {
    result,
    reference: {
      rate: (before.rate + after.rate) / 2,
      latency_ms: (before.latency_ms + after.latency_ms) / 2,
    },
  };
}

/**
 * Measures several things in turn, in slices, so that other work on the machine affects all of them equally.
 * Each gets `bench.seconds` in all. Returns the slices of each.
 */
export async function measureInTurns<T extends readonly unknown[]>(
  bench: Bench,
  measures: { [K in keyof T]: (seconds: number) => Promise<T[K]> },
): Promise<{ [K in keyof T]: T[K][] }> {
  const rounds = Math.max(1, Math.min(5, Math.floor(bench.seconds / 2)));
  const slices = measures.map((): unknown[] => []);
  for (let round = 0; round < rounds; round++) {
    for (const [i, measure] of measures.entries()) {
      slices[i]?.push(await measure(bench.seconds / rounds));
      await checkpoint(bench);
    }
  }
  return slices as { [K in keyof T]: T[K][] };
}

/** The mean of a figure over slices of the same length. */
export const meanOf = <T>(slices: readonly T[], figure: (slice: T) => number): number =>
  slices.reduce((sum, slice) => sum + figure(slice), 0) / slices.length;

/**
 * Measures in a closed loop. The rate of a short trial decides how many rows are prepared. If the service is
 * faster and the rows end early, the measurement is repeated with more rows.
 *
 * @param per_second the rate of the trial
 */
export async function measureInClosedLoop(
  bench: Bench,
  per_second: number,
  measure: (pace: Pace, count: number) => Promise<Measurement>,
  seconds = bench.seconds,
): Promise<Measurement> {
  const pace = { kind: 'closed', warm_up_s, seconds } as const;
  let count = Math.ceil(Math.max(per_second, lowest_rate) * 1.5 * (warm_up_s + seconds));
  for (let tries = 1; ; tries++) {
    const result = await measure(pace, count);
    if (!result.ran_out) return result;
    if (tries === 3)
      throw new BenchError('The rate varies too much for a measurement: other work keeps this machine busy.');
    bench.say('faster than the trial: measuring again with more rows');
    count *= 3;
  }
}

/** Writes all changed pages to disk, so that no measurement pays for an earlier one. */
export async function checkpoint(bench: Bench): Promise<void> {
  await (await bench.database()).query('CHECKPOINT');
}
