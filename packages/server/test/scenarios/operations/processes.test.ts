import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { Agent, get } from 'node:http';
import { connect, createServer, type Socket } from 'node:net';
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { release } from '../../../src/base/release.ts';
import { isAlive } from '../../../src/embedded/processes.ts';
import { askDatabase, freshDatabase, type TestDatabase } from '../../support/servers/database.ts';
import { freePort } from '../../support/servers/ports.ts';
import { type SourceProcess, startPaydesk } from '../../support/run/source-process.ts';

/** `serve --processes`: the built program, with real processes. */

const key = randomBytes(32).toString('base64');

let database: TestDatabase;
beforeAll(async () => {
  database = await freshDatabase();
  // As after an upgrade of the system under the data.
  const older = "UPDATE pg_database SET datcollversion = '0.9' WHERE datname = current_database()";
  await askDatabase(database.url, older);
});
afterAll(() => database.drop());

type Line = Record<string, unknown>;

/** The processes of one command. */
interface Family {
  first: SourceProcess;
  port: number;
  ops: string;
  /** But for the requests to /healthz. */
  log: Line[];
  /** Which process answered each request to /healthz. */
  healthz: string[];
  /** Waits until the log has so many lines like this. */
  logged(line: Line, times?: number): Promise<void>;
  /** The ids of the processes that run now, by name. */
  pids(): Map<string, number>;
}

const patience = { timeout: 240_000, interval: 20 };

// Each test starts up to seven processes; the time ends only a wait for what never comes.
vi.setConfig({ testTimeout: 900_000 });
afterAll(() => {
  vi.resetConfig();
});

async function settings(more: NodeJS.ProcessEnv = {}): Promise<NodeJS.ProcessEnv & { PORT: string }> {
  return {
    DATABASE_URL: database.service_url,
    PAYDESK_SECRET_KEY: key,
    PAYDESK_ADMIN_KEY: 'test-administration-key',
    PAYDESK_DB_POOL: '6',
    PAYDESK_LOG_LEVEL: 'info',
    PORT: String(await freePort()),
    PAYDESK_OPS_PORT: String(await freePort()),
    ...more,
  };
}

function launch(args: string[], env: NodeJS.ProcessEnv): Pick<Family, 'first' | 'log' | 'healthz'> {
  const first = startPaydesk(['serve', '--no-migrate', ...args], { env });
  const log: Line[] = [];
  const healthz: string[] = [];
  void (async () => {
    for (;;) {
      const line = JSON.parse(await first.line()) as Line;
      if (line.path === '/healthz') healthz.push(String(line.process));
      else log.push(line);
    }
  })().catch(() => undefined);
  return { first, log, healthz };
}

async function serve(args: string[], more: NodeJS.ProcessEnv = {}): Promise<Family> {
  const env = await settings(more);
  const { first, log, healthz } = launch(args, env);
  const isLike = (wanted: Line) => (line: Line) =>
    Object.entries(wanted).every(([name, value]) => line[name] === value);
  const logged = async (wanted: Line, times = 1): Promise<void> => {
    await vi.waitUntil(() => log.filter(isLike(wanted)).length >= times, patience);
  };
  await logged({ msg: 'paydesk is serving', version: release });
  return {
    ...{ first, log, healthz, logged },
    port: Number(env.PORT),
    ops: `http://127.0.0.1:${env.PAYDESK_OPS_PORT ?? ''}`,
    pids: () =>
      new Map(
        log
          .filter(({ msg, pid }) => msg === 'a process serves' && isAlive(Number(pid)))
          .map(({ name, pid }) => [String(name), Number(pid)]),
      ),
  };
}

async function end({ first, log }: Family): Promise<void> {
  await first.kill('SIGKILL');
  await vi.waitUntil(() => pidsOf(log).every((pid) => !isAlive(pid)), patience);
}

const pidsOf = (log: readonly Line[]): number[] =>
  log.filter(({ msg }) => msg === 'a process serves').map(({ pid }) => Number(pid));

/** The status of a request on a connection of its own, or of this agent; null where there is no answer. */
const ask = (port: number, path: string, agent: Agent | false = false): Promise<number | null> =>
  new Promise((resolve) => {
    const headers = { authorization: 'Bearer a-wrong-administration-key' };
    const request = get({ host: '127.0.0.1', port, path, agent, headers }, (answer) => {
      answer.resume().on('end', () => {
        resolve(answer.statusCode ?? null);
      });
      answer.on('error', () => {
        resolve(null);
      });
    });
    request.on('error', () => {
      // A connection that was idle for seconds is closed, and its client opens another, like all clients.
      resolve(request.reusedSocket ? ask(port, path) : null);
    });
  });

/** A connection that asks for /healthz once, and is closed after the answer. */
async function connectTo(port: number): Promise<Socket> {
  const socket = connect(port, '127.0.0.1').on('error', () => undefined);
  await once(socket.resume(), 'connect');
  socket.write('GET /healthz HTTP/1.1\r\nHost: test\r\nConnection: close\r\n\r\n');
  return socket;
}

/** False also for one whose end its parent has not seen. */
const runs = (pid: number): boolean => !/^State:\s+[ZX]/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'));

/** The figures, when all these processes have answered: on a busy machine one may take too long. */
async function textOf(url: string, names: readonly string[]): Promise<string> {
  let text = '';
  await expect
    .poll(async () => {
      text = await (await fetch(`${url}/metrics`)).text();
      return names.filter((name) => !text.includes(`process_resident_memory_bytes{process="${name}"}`));
    }, patience)
    .toEqual([]);
  return text;
}

const linesOf = (text: string, name: string): string[] =>
  text.split('\n').filter((line) => line.startsWith(`${name}{`) || line.startsWith(`${name} `));

const webs = ['web 1', 'web 2'];

/** How many requests to /healthz the figures count. */
const answered = async ({ ops }: Family): Promise<number> =>
  linesOf(await textOf(ops, ['first', ...webs]), 'paydesk_http_request_duration_seconds_count')
    .filter((line) => line.includes('route="/healthz"'))
    .reduce((sum, line) => sum + Number(line.split(' ').at(-1)), 0);

test('D-400 D-402 D-403 D-432 D-1302 two processes answer on one port and one works; limits, figures and connections are those of all', async () => {
  const family = await serve(['--processes', '2'], { PAYDESK_DB_POOL: '1000' });
  onTestFinished(() => end(family));
  await family.logged({ msg: 'the processes are started' });
  expect(family.log.filter(({ msg }) => String(msg).includes('so they may miss rows'))).toMatchObject([
    { level: 'error' },
  ]);
  const warnings = family.log.map(({ msg }) => String(msg)).filter((msg) => msg.includes('may open 3000'));
  expect(warnings, 'more than PostgreSQL allows').toHaveLength(1);
  for (let i = 0; i < 20; i++) expect(await ask(family.port, '/healthz')).toBe(200);
  await vi.waitUntil(() => family.healthz.length === 20, patience);
  expect([...new Set(family.healthz)].sort()).toEqual(webs);
  expect(await answered(family)).toBe(20);

  const all = ['first', ...webs, 'worker'];
  const text = await textOf(family.ops, all);
  const working = linesOf(text, 'paydesk_pass_interval_seconds');
  expect(working.length).toBeGreaterThan(10);
  expect(working.filter((line) => !line.includes('process="worker"'))).toEqual([]);
  expect(linesOf(text, 'paydesk_processes')).toEqual(['paydesk_processes{process="first"} 3']);
  const memory = linesOf(text, 'process_resident_memory_bytes');
  expect(memory.map((line) => line.split('"')[1]).sort()).toEqual(all);
  // On a loopback address every process shows the figures of all processes at the main port, too.
  await textOf(`http://127.0.0.1:${family.port}`, all);

  const tries: (number | null)[] = [];
  for (let i = 0; i < 14; i++) tries.push(await ask(family.port, '/admin/v1/users'));
  const answers = (status: number): number => tries.filter((one) => one === status).length;
  // 503: on a busy machine the first process has not answered within its second. It may have counted the request anyway.
  expect(answers(401) + answers(429) + answers(503)).toBe(14);
  expect(answers(401)).toBeLessThanOrEqual(10);
  expect(answers(429)).toBeGreaterThanOrEqual(4 - answers(503));

  await expect
    .poll(async () => (await fetch(`${family.ops}/readyz?verbose=1`)).text(), patience)
    .toBe(
      [...webs, 'worker'].map((name) => `[+]${name} ok: it is ready\n`).join('') + 'readyz check passed\n',
    );
  expect(await family.first.kill('SIGTERM')).toBe(0);
  expect(pidsOf(family.log).filter((pid) => isAlive(pid))).toEqual([]);
});

describe('two processes that answer', () => {
  let family: Family;
  beforeAll(async () => {
    family = await serve(['--processes', '2', '--role', 'web']);
  });
  afterAll(() => end(family));

  test('D-400 D-402 a killed process is started again, the other one serves meanwhile, and no figure falls', async () => {
    for (let i = 0; i < 10; i++) expect(await ask(family.port, '/healthz')).toBe(200);
    expect(await answered(family)).toBe(10);
    const before = family.pids();
    expect([...before.keys()].sort()).toEqual(webs);
    process.kill(before.get('web 1') ?? 0, 'SIGKILL');
    await family.logged({ msg: 'a process ended and is started again', name: 'web 1', why: 'SIGKILL' });
    expect(await ask(family.port, '/healthz')).toBe(200);
    await family.logged({ msg: 'a process serves', name: 'web 1' }, 2);
    const after = family.pids();
    expect(after.get('web 1')).not.toBe(before.get('web 1'));
    expect(after.get('web 2')).toBe(before.get('web 2'));
    expect(await answered(family)).toBe(11);
    await expect.poll(async () => (await fetch(`${family.ops}/readyz`)).status, patience).toBe(200);
  });

  test('D-1239 a connection that is handed to a process which was just killed ends', async () => {
    const { child } = family.first;
    const killed = family.pids().get('web 1') ?? 0;
    // The first process finds two connections before it finds the end of the other process: one for each.
    child.kill('SIGSTOP');
    const asked = await Promise.all([connectTo(family.port), connectTo(family.port)]);
    process.kill(killed, 'SIGKILL');
    await vi.waitUntil(() => !runs(killed), patience);
    child.kill('SIGCONT');
    await vi.waitUntil(() => asked.every(({ closed }) => closed), patience);
    await vi.waitUntil(() => family.pids().has('web 1'), patience);
  });

  test('D-401 D-402 SIGHUP under load replaces every process, no request fails, and no figure falls', async () => {
    const before = family.pids();
    const answered_before = await answered(family);
    const logged_before = family.healthz.length;
    const kept = new Agent({ keepAlive: true, maxSockets: 1 });
    const answers = new Map<number | null, number>();
    let over = false;
    const load = async (agent: Agent | false): Promise<void> => {
      while (!over) {
        const status = await ask(family.port, '/healthz', agent);
        answers.set(status, (answers.get(status) ?? 0) + 1);
      }
    };
    // As few as show it: the load keeps the new processes from their start.
    const loads = [load(false), load(kept)];
    await vi.waitUntil(() => family.healthz.length >= logged_before + 50, patience);
    family.first.child.kill('SIGHUP');
    await family.logged({ msg: 'the reload is done' });
    over = true;
    await Promise.all(loads);
    kept.destroy();
    expect([...answers.keys()]).toEqual([200]);
    const after = family.pids();
    expect([...after.keys()].sort()).toEqual(webs);
    for (const [name, pid] of before) {
      expect(after.get(name)).not.toBe(pid);
      expect(isAlive(pid)).toBe(false);
    }
    expect(await answered(family)).toBe(answered_before + (answers.get(200) ?? 0));
    expect(await family.first.kill('SIGINT')).toBe(0);
  });
});

test('D-400 processes whose first process was killed end by themselves', async () => {
  const family = await serve(['--processes', '1']);
  onTestFinished(() => end(family));
  const pids = [...family.pids().values()];
  expect(pids).toHaveLength(2);
  await family.first.kill('SIGKILL');
  await vi.waitUntil(() => pids.every((pid) => !isAlive(pid)), patience);
});

describe('a start that cannot succeed', () => {
  const takenPort = async (): Promise<string> => {
    const port = await freePort();
    const server = createServer().listen(port, '127.0.0.1');
    onTestFinished(() => void server.close());
    await new Promise((resolve) => server.once('listening', resolve));
    return String(port);
  };
  const wrong: [string, string[], () => Promise<NodeJS.ProcessEnv> | NodeJS.ProcessEnv, number, RegExp][] = [
    ['a setting', ['auto'], () => ({ PORT: '99999' }), 1, /^PORT must be a number/],
    ['the port', ['2'], async () => ({ PORT: await takenPort() }), 1, /^Port \d+ on .* is in use/],
    [
      'the port for operators',
      ['2'],
      async () => ({ PAYDESK_OPS_PORT: await takenPort() }),
      1,
      /^PAYDESK_OPS_PORT names port \d+, which is in use/,
    ],
    [
      'the host',
      ['2'],
      () => ({ HOST: 'no-such-host.invalid' }),
      1,
      /^HOST must be an address of this machine/,
    ],
    ['a number', ['0'], () => ({}), 2, /^--processes must be auto or a number from 1 to 256/],
    ['the role', ['2', '--role', 'worker'], () => ({}), 2, /^--processes is for processes that answer/],
  ];
  test.each(wrong)('D-400 is said once: %s', async (_, args, env, code, sentence) => {
    const { first } = launch(['--processes', ...args], await settings(await env()));
    expect(await first.exited).toBe(code);
    await vi.waitUntil(() => first.errors().endsWith('\n'), patience);
    expect(first.errors().trimEnd()).toMatch(sentence);
    expect(first.errors().trimEnd()).not.toContain('\n');
  });
});
