/**
 * The first process of `serve --processes`: starts the others, hands them connections, and shows them as one service
 * (D-400).
 */
import type { ChildProcess } from 'node:child_process';
import cluster, { type Worker } from 'node:cluster';
import type { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { systemIds } from '../../base/ids.ts';
import { type Logger, printLine } from '../../base/log.ts';
import { release } from '../../base/release.ts';
import type { Config } from '../../config.ts';
import { createHealth } from '../../http/health/health-routes.ts';
import { type CheckResult, NotReadyError } from '../../http/health/readiness.ts';
import { startOps } from '../ops-listener.ts';
import { placeVariable, workerName } from './child.ts';
import { familyMetrics } from './process-counts.ts';
import { createLink, type Link } from './link.ts';
import { countForAll } from './family-limiter.ts';
import { type Started, Supervisor } from './supervise.ts';
import { createTotals, type Figures } from './summed-metrics.ts';

export interface PrimaryOptions {
  config: Config;
  log: Logger;
  /** The number of processes that answer requests. */
  web: number;
  /** Whether one more process does the background work. */
  worker: boolean;
  /** Variables of the processes in addition to the variables of this one. */
  env: Record<string, string>;
  /** Resolves when the embedded database stops unexpectedly. */
  lost?: Promise<void> | undefined;
}

/** How long a process may take for its figures, and for its checks. */
const figures_ms = 2_000;
const checks_ms = 1_500;
/** A process that checks each part for 1.2 s needs a little more; `/readyz` answers within two seconds (H-24). */
const limit_ms = 1_600;

/** @returns the exit code of the command */
export async function runPrimary(options: PrimaryOptions): Promise<number> {
  const { config, log } = options;
  const names = [
    ...Array.from({ length: options.web }, (_, i) => `web ${i + 1}`),
    ...(options.worker ? [workerName] : []),
  ];
  const family = createFamily(options, names);
  const signals = awaitSignals(family.processes, log, options.lost);
  const ops = await startOps({ config, log, ids: systemIds() }, family.health);
  try {
    log.info(
      { pid: process.pid, processes: names, connections_at_most: names.length * config.db_pool },
      'the processes are started',
    );
    const started = await Promise.race([family.processes.start(), signals.ended.then(() => null)]);
    if (started === false) return 1;
    if (started === true) {
      log.info({ url: urlOf(config), processes: names.length, version: release }, 'paydesk is serving');
    }
    const why = await signals.ended;
    await family.processes.stop();
    return why === 'lost' ? 1 : 0;
  } finally {
    signals.forget();
    await ops?.stop();
  }
}

const urlOf = ({ host, port }: Config): string => `http://${host.includes(':') ? `[${host}]` : host}:${port}`;

/** SIGTERM and SIGINT end everything, twice at once; SIGHUP reloads. */
function awaitSignals(
  processes: Supervisor,
  log: Logger,
  lost: Promise<void> | undefined,
): { ended: Promise<'asked' | 'lost'>; forget(): void } {
  const reload = (): void => {
    log.info('SIGHUP: the processes are replaced, one after another');
    void processes.reload();
  };
  let asked = (): void => undefined;
  const stop = new Promise<'asked'>((resolve) => {
    let times = 0;
    asked = () => {
      if (++times === 1) {
        log.info('paydesk is stopping');
        resolve('asked');
        return;
      }
      processes.kill();
      process.exit(130);
    };
  });
  process.on('SIGHUP', reload).on('SIGINT', asked).on('SIGTERM', asked);
  return {
    ended: Promise.race([stop, ...(lost === undefined ? [] : [lost.then(() => 'lost' as const)])]),
    forget() {
      process.off('SIGHUP', reload).off('SIGINT', asked).off('SIGTERM', asked);
    },
  };
}

/** The processes, and what they are together. */
function createFamily({ log, env }: PrimaryOptions, names: readonly string[]) {
  const links = new Map<Started, Link>();
  const current = new Map<string, Started>();
  const totals = createTotals();
  const limit = countForAll();
  const health = createHealth({
    limit_ms,
    checks: Object.fromEntries(names.map((name) => [name, () => check(name)])),
    metrics: () => gather(),
  });
  const figures = familyMetrics(names, () => current.size);
  figures.register(health.registry);

  const check = async (name: string): Promise<string> => {
    const link = links.get(current.get(name) as Started);
    if (link === undefined) throw new NotReadyError('it is not running');
    const results = await link.ask<CheckResult[]>('ready', null, checks_ms).catch(() => {
      throw new NotReadyError('it does not answer');
    });
    const failed = results.filter(({ error }) => error !== null);
    if (failed.length === 0) return 'it is ready';
    throw new NotReadyError(failed.map(({ name: part, word }) => `${part}: ${word}`).join('; '));
  };
  const gather = async (): Promise<string> => {
    const running = new Map([...current].map(([name, one]) => [one, name]));
    const parts = await Promise.all(
      [...links].map(async ([one, link]) => {
        const now = await link.ask<Figures>('metrics', null, figures_ms).catch(() => null);
        if (now === null) return { process: null, figures: totals.lastOf(one) };
        totals.note(one, now);
        return { process: running.get(one) ?? null, figures: now };
      }),
    );
    const own = { process: 'first', figures: (await health.registry.getMetricsAsJSON()) as Figures };
    return totals.text([...parts, own]);
  };
  const start = (name: string): Started => {
    figures.started(name);
    const one = fork(name, env, {
      limit,
      metrics: gather,
      last: (counted: Figures) => {
        totals.note(one, counted);
      },
    });
    if (one.link !== null) links.set(one, one.link);
    void one.ended.then(() => {
      links.delete(one);
      return totals.keep(one);
    });
    return one;
  };
  const processes = new Supervisor({
    ...{ names, start, log },
    now: () => performance.now(),
    pause: (ms, signal) => sleep(ms, undefined, { signal }).catch(() => undefined),
    onChange: (name, one) => {
      if (one === null) current.delete(name);
      else current.set(name, one);
    },
  });
  return { processes, health };
}

/** Prints the lines of a process as they come, each of them whole. */
function forwardLines(output: Readable): void {
  let rest = Buffer.alloc(0);
  output.on('data', (chunk: Buffer) => {
    const text = Buffer.concat([rest, chunk]);
    const end = text.lastIndexOf('\n');
    rest = text.subarray(end + 1);
    if (end === -1) return;
    for (const line of text.toString('utf8', 0, end).split('\n')) printLine(line);
  });
}

/**
 * Ends the connections that a process was handed and had not taken when it ended: Node.js would keep them open, and their
 * clients would wait for an answer until this process ends (D-1239).
 */
function endUntaken(child: ChildProcess): void {
  const handed = new Map<unknown, { close(): void }>();
  const send = child.send.bind(child) as (...args: unknown[]) => boolean;
  child.send = (...args: unknown[]) => {
    const [message, connection] = args as [{ seq?: number }, { close(): void } | null | undefined];
    if (connection != null) handed.set(message.seq, connection);
    return send(...args);
  };
  child.on('internalMessage', ({ ack }: { ack?: number }) => handed.delete(ack));
  child.once('close', () => {
    for (const connection of handed.values()) connection.close();
  });
}

/** Starts the same command as a process of this one. */
function fork(
  name: string,
  env: Record<string, string>,
  answers: Record<string, (question: never) => unknown>,
): Started & { link: Link | null } {
  let worker: Worker;
  try {
    // The lines of all processes go through this one: written by each, long ones would be mixed.
    cluster.setupPrimary({ silent: true, stdio: ['ignore', 'pipe', 'pipe', 'ipc'] });
    worker = cluster.fork({ ...env, [placeVariable]: name });
  } catch (error) {
    return {
      ...{ pid: undefined, link: null },
      ready: new Promise(() => undefined),
      ended: Promise.resolve(`it could not be started: ${String(error)}`),
      stop: () => undefined,
      kill: () => undefined,
    };
  }
  const child = worker.process;
  endUntaken(child);
  if (child.stdout !== null) forwardLines(child.stdout);
  child.stderr?.on('data', (chunk: Buffer) => process.stderr.write(chunk));
  let serves = (): void => undefined;
  const ready = new Promise<void>((resolve) => {
    serves = resolve;
  });
  const ended = new Promise<string>((resolve) => {
    worker.on('error', (error) => {
      if (child.pid === undefined) resolve(`it could not be started: ${String(error)}`);
    });
    // Its last lines come before its end.
    child.once('close', (code, signal) => {
      resolve(signal === null ? `exit code ${code}` : signal);
    });
  });
  const link = createLink(
    {
      send: (message) => {
        if (worker.isConnected()) worker.send(message as object, undefined, () => undefined);
      },
      onMessage: (listener) => worker.on('message', listener),
    },
    { ...answers, ready: serves },
  );
  return {
    ...{ pid: child.pid, link, ready, ended },
    stop: (replaced) => {
      link.tell('stop', replaced ? 'replaced' : 'stop');
    },
    kill: () => {
      child.kill('SIGKILL');
    },
  };
}
