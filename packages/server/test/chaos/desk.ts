import { randomBytes } from 'node:crypto';
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { appendFile, chmod, mkdir, open, readFile, rm, statfs, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Cardsim, startCardsim } from '@paydesk/cardsim';
import type { Json } from '../crash/ask.ts';
import { freePort } from '../support/servers/ports.ts';
import { openReceiver, type Receiver } from '../support/servers/receiver.ts';
import { type Redis, startRedis } from '../support/servers/redis.ts';
import { memoryDirectory, temporaryDirectory } from '../support/run/temporary.ts';
import { testAuthority } from '../support/servers/tls.ts';
import { askOnce } from './ask-once.ts';
import { type Balancer, openBalancer } from './balancer.ts';
import { type DatabasePair, type Node, openDatabasePair, until, urlOf, urlOfBoth } from './database-pair.ts';
import type { FaultKind } from './faults.ts';
import { type PaydeskProcess, paydeskProcess, program } from './paydesk-process.ts';
import { openProxy, type Proxy } from './proxy.ts';

/** The services that one process depends on, each behind its own proxies. */
export interface Dependencies {
  database: Proxy[];
  redis: Proxy[];
  provider: Proxy[];
}

/** Everything that runs in the chaos test, and the hands on it. */
export interface Desk {
  url: string;
  admin_key: string;
  processes: readonly [PaydeskProcess, ...PaydeskProcess[]];
  balancer: Balancer;
  database: DatabasePair;
  receiver: Receiver;
  provider_url: string;
  /** The provider as the processes know it, behind a proxy. */
  provider_link: Pick<Cardsim, 'url' | 'registerWebhook'>;
  kinds: Set<FaultKind>;
  /** What this machine does not allow, in words. */
  refused: string[];
  /** Lines that processes logged as errors, and ends of processes that were not requested. */
  complaints: string[];
  /** Stops that took longer than ten seconds or did not end with 0. */
  bad_stops: string[];
  proxiesOf(one: PaydeskProcess): Dependencies;
  /** The proxies of all processes to one server. */
  databaseProxies(node: Node): Proxy[];
  provider(method: string, path: string, body?: unknown): Promise<Json>;
  stopRedis(): Promise<void>;
  startRedis(): Promise<void>;
  fillDisk(node: Node, full: boolean): Promise<void>;
  restart(one: PaydeskProcess): Promise<void>;
  untilReady(
    some: readonly PaydeskProcess[] | (() => readonly PaydeskProcess[]),
    most_ms?: number,
  ): Promise<void>;
  /** Another command of the program, in the environment of the processes. */
  run(...args: string[]): Promise<{ code: number | null; output: string }>;
  admin<T = Json>(method: string, path: string, body?: unknown): Promise<T>;
}

export interface DeskOptions {
  /** Number of processes that answer requests; at least one. */
  webs?: number;
  workers?: number;
  /** More settings of a process, which win over those of the desk. `databases` are the proxies to both servers. */
  environmentOf?: (
    name: string,
    databases: readonly [Proxy, Proxy],
    pair: DatabasePair,
  ) => Record<string, string> | Promise<Record<string, string>>;
  /** The file that takes the log of a process, where it is to be a file. */
  logOf?: (name: string) => string;
  /** The folder that gets the logs of the processes and of both databases; default: none are kept. */
  logs?: string;
  /** The built program that a process runs from its next start on; default: this release. */
  programOf?: (name: string) => string;
}

/** How long a start may take that is not measured: on a busy machine a process needs more than a minute. */
export const start_ms = 300_000;
/** The size of the file system of a database: more than a run needs, and small enough to be filled at once. */
const disk_mb = 1_500;
const stopLimit_ms = 10_500;

export async function openDesk(
  kinds: ReadonlySet<FaultKind>,
  undo: (() => Promise<unknown>)[],
  {
    webs = 3,
    workers = 2,
    environmentOf = () => ({}),
    programOf = () => program,
    logOf,
    logs,
  }: DeskOptions = {},
): Promise<Desk> {
  const names: [string, ...string[]] = ['web-1'];
  for (let i = 2; i <= webs; i++) names.push(`web-${i}`);
  for (let i = 1; i <= workers; i++) names.push(`worker-${i}`);
  const home = await temporaryDirectory('chaos', await memoryDirectory());
  undo.push(() => home.remove());
  const refused: string[] = [];
  const on = new Set(kinds);
  const homes = [join(home.path, 'a'), join(home.path, 'b')] as const;
  const hasDisks = await mountDisks(homes, undo);
  if (!hasDisks && on.delete('full disk')) refused.push('full disk: mounting a file system is not allowed');
  const keepAtEnd = (from: string, name: string): void => {
    if (logs === undefined) return;
    undo.push(async () => appendFile(join(logs, `${name}.log`), await readFile(from)));
  };
  for (const [i, from] of homes.entries()) keepAtEnd(join(from, 'postgres.log'), `postgres-${'ab'[i]}`);
  const database = await openDatabasePair(homes);
  undo.push(() => database.stop());
  let redis: Redis = await startRedis();
  undo.push(() => redis.stop());
  const cardsim = await startCardsim({ webhookRetryDelaysMs: webhookDelays });
  undo.push(() => cardsim.close());
  const authority = await testAuthority();
  const receiver = await openReceiver(authority);
  undo.push(() => receiver.close());
  const ca_file = join(home.path, 'receivers.pem');
  await writeFile(ca_file, authority.cert);

  const admin_key = randomBytes(32).toString('base64url');
  const ports = await Promise.all(names.map(() => freePort()));
  const balancer = await openBalancer(ports.slice(0, webs));
  undo.push(() => balancer.close());
  const url = `http://127.0.0.1:${balancer.port}`;
  const shared = {
    PAYDESK_PUBLIC_URL: url,
    PAYDESK_SECRET_KEY: randomBytes(32).toString('base64'),
    PAYDESK_ADMIN_KEY: admin_key,
    PAYDESK_TEST_CLOCK: '1',
    PAYDESK_TRUSTED_PROXIES: '127.0.0.1/32',
    PAYDESK_NOTIFY_ALLOW_CIDRS: '127.0.0.1/32',
    PAYDESK_NOTIFY_CA_FILE: ca_file,
    PAYDESK_DATA_DIR: join(home.path, 'unused'),
  };
  const complaints: string[] = [];
  const bad_stops: string[] = [];
  const dependencies = new Map<string, Dependencies>();
  const openProcess = async (name: string, i: number): Promise<PaydeskProcess> => {
    const databases = [
      await openProxy(database.nodes[0].port),
      await openProxy(database.nodes[1].port),
    ] as const;
    const own = {
      database: [...databases],
      redis: [await openProxy(redis.port)],
      provider: [] as Proxy[],
    };
    for (const proxy of [...own.database, ...own.redis]) undo.push(() => proxy.close());
    dependencies.set(name, own);
    const env = {
      ...shared,
      DATABASE_URL: urlOfBoth(own.database.map(({ port }) => port)),
      REDIS_URL: `redis://127.0.0.1:${own.redis[0]?.port ?? 0}`,
      ...(await environmentOf(name, databases, database)),
    };
    const log_file = logOf?.(name) ?? null;
    if (log_file !== null) keepAtEnd(log_file, name);
    return paydeskProcess({
      ...{
        name,
        env,
        program: () => programOf(name),
        port: ports[i] ?? 0,
        role: i < webs ? 'web' : 'worker',
      },
      clock_file: join(home.path, `${name}.clock`),
      log_file,
      kept_log: logs === undefined ? null : join(logs, `${name}.log`),
      complain: (line) => complaints.push(line),
    });
  };
  const processes = await mapAll(names, openProcess);
  // The address of the provider is a setting of the platform, so all processes share its proxy.
  const providerProxy = await openProxy(cardsim.port);
  undo.push(() => providerProxy.close());
  for (const own of dependencies.values()) own.provider.push(providerProxy);

  const desk: Desk = {
    ...{ url, admin_key, processes, balancer, database, receiver, kinds: on, refused, complaints, bad_stops },
    provider_url: cardsim.url,
    provider_link: {
      url: `http://127.0.0.1:${providerProxy.port}`,
      registerWebhook: (webhook) => cardsim.registerWebhook(webhook),
    },
    proxiesOf: ({ name }) => dependencies.get(name) ?? { database: [], redis: [], provider: [] },
    databaseProxies: (node) =>
      [...dependencies.values()].flatMap((own) => own.database[database.nodes.indexOf(node)] ?? []),
    async provider(method, path, body) {
      const { status, text, body: parsed } = await askOnce(`${cardsim.url}/_sim${path}`, method, {}, body);
      if (status >= 300 || status === 0) throw new Error(`provider ${method} ${path}: ${status} ${text}`);
      return parsed;
    },
    stopRedis: () => redis.stop(),
    async startRedis() {
      redis = await startRedis(redis.port);
    },
    fillDisk,
    async restart(one) {
      const { took_ms, code } = await one.stop();
      if (took_ms > stopLimit_ms || code !== 0) {
        bad_stops.push(`${one.name} stopped with ${String(code)} after ${Math.round(took_ms)} ms`);
      }
      await one.start();
    },
    untilReady: (some, most_ms = 60_000) =>
      until(async () => {
        const waiting = typeof some === 'function' ? some() : some;
        return (await Promise.all(waiting.map((one) => one.isReady()))).every(Boolean);
      }, most_ms),
    run: (...args) => runCommand(args, { ...shared, DATABASE_URL: urlOf(database.primary().port) }),
    async admin<T>(method: string, path: string, body?: unknown): Promise<T> {
      const headers = { authorization: `Bearer ${admin_key}` };
      const answer = await askOnce(`${url}/admin/v1${path}`, method, headers, body);
      if (answer.status === 0 || answer.status >= 300) {
        throw new Error(`${method} ${path}: ${answer.status} ${answer.text}`);
      }
      return answer.body as T;
    },
  };
  undo.push(() => Promise.all(processes.map((one) => one.stop())));
  return desk;
}

/** Maps a list that is not empty, one after the other. */
async function mapAll<T, R>(
  [first, ...others]: readonly [T, ...T[]],
  map: (item: T, i: number) => Promise<R>,
): Promise<[R, ...R[]]> {
  const mapped: [R, ...R[]] = [await map(first, 0)];
  for (const [i, other] of others.entries()) mapped.push(await map(other, i + 1));
  return mapped;
}

/** The provider repeats its webhooks for as long as a run may need. */
const webhookDelays = [200, 400, 800, ...Array.from({ length: 60 }, () => 1_500)];

/** File systems in memory of a limited size, where this user may mount them. */
async function mountDisks(homes: readonly string[], undo: (() => Promise<unknown>)[]): Promise<boolean> {
  for (const path of homes) {
    await mkdir(path);
    try {
      execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${disk_mb}m`, 'tmpfs', path], { stdio: 'ignore' });
    } catch {
      return false;
    }
    undo.push(() => {
      execFileSync('umount', ['-l', path], { stdio: 'ignore' });
      return Promise.resolve();
    });
    await chmod(path, 0o755);
  }
  return true;
}

/** Takes all that is left of a file system, or gives it back. */
async function fillDisk({ home }: Node, full: boolean): Promise<void> {
  const path = join(home, 'ballast');
  if (!full) {
    await rm(path, { force: true });
    return;
  }
  const { bavail, bsize } = await statfs(home);
  const file = await open(path, 'w');
  const block = Buffer.alloc(1024 * 1024);
  try {
    for (let left = bavail * bsize; left > 0; left -= block.length) await file.write(block);
  } catch {
    // Nothing is left.
  } finally {
    await file.close();
  }
}

/** Runs another command of the program. */
export async function runCommand(
  args: readonly string[],
  env: Record<string, string>,
): Promise<{ code: number | null; output: string }> {
  const child = spawn(process.execPath, [program, ...args], {
    env: { PATH: process.env.PATH ?? '', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => (output += text));
  }
  const [code] = (await once(child, 'close')) as [number | null];
  return { code, output };
}
