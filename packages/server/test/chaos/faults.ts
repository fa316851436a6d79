import { setTimeout as pause } from 'node:timers/promises';
import type { Json } from '../crash/ask.ts';
import type { Random } from '../support/run/random.ts';
import type { Desk } from './desk.ts';
import type { PaydeskProcess } from './paydesk-process.ts';
import type { Flow } from './proxy.ts';

/** What a fault is done to, how long, and how it is undone. */
export interface Fault {
  kind: FaultKind;
  /** In words, such as the process or the dependency. */
  target: string;
  /** Injects it and undoes it again; it must leave nothing that only another fault would mend. */
  run(): Promise<void>;
}

export const faultKinds = {
  kill: 'kill -9 of a process, which is started again',
  stop: 'SIGSTOP of a process for 3 to 40 s; it wakes up and goes on',
  clock: 'the clock of a process jumps by 90 s, forwards or backwards',
  'database cut': 'connections of a process to the database are reset and refused',
  'database silent': 'bytes between a process and the database vanish, in one or both directions',
  'redis cut': 'connections of a process to Redis are reset and refused',
  'redis silent': 'bytes between a process and Redis vanish',
  'redis gone': 'Redis is killed and started again, empty',
  'provider cut': 'connections of a process to the card provider are reset and refused',
  'provider silent': 'bytes between a process and the card provider vanish',
  'provider fault': 'the provider answers wrongly, late, or not, having done its part or not',
  'slow disk': 'the standby writes slowly, so each commit waits for it',
  'full disk': 'the file system of the primary database is full',
  'database restart': 'the primary database is killed and started again',
  failover: 'the primary database is killed and the standby is promoted',
  'silent failover': 'the primary database falls silent and the standby is promoted',
  'rolling restart': 'every process is stopped in good order and started again, one after the other',
} as const;

export type FaultKind = keyof typeof faultKinds;

const between = (random: Random, low_s: number, high_s: number): number =>
  Math.round((low_s + random.next() * (high_s - low_s)) * 1_000);

type Draw = (desk: Desk, random: Random, one: PaydeskProcess) => Fault;

/** A process is down, and its supervisor starts it again. */
const kill: Draw = (_, random, one) => {
  const wait_ms = between(random, 0, 1.5);
  return {
    kind: 'kill',
    target: one.name,
    async run() {
      await one.signal('SIGKILL');
      await pause(wait_ms);
      await one.start();
    },
  };
};

const stop: Draw = (_, random, one) => {
  const wait_ms = between(random, 3, random.next() < 0.3 ? 40 : 15);
  return {
    kind: 'stop',
    target: `${one.name} for ${wait_ms} ms`,
    async run() {
      await one.signal('SIGSTOP');
      await pause(wait_ms);
      await one.signal('SIGCONT');
    },
  };
};

const clock: Draw = (_, random, one) => {
  const shift_ms = random.pick([-90_000, 90_000]);
  const wait_ms = between(random, 2, 15);
  return {
    kind: 'clock',
    target: `${one.name} by ${shift_ms} ms`,
    async run() {
      await one.shiftClock(shift_ms);
      await pause(wait_ms);
      await one.shiftClock(0);
    },
  };
};

const flow =
  (kind: FaultKind, to: 'database' | 'redis' | 'provider', flows: readonly [Flow, ...Flow[]]): Draw =>
  (desk, random, one) => {
    const chosen = random.pick(flows);
    const wait_ms = between(random, 1, chosen === 'cut' ? 5 : 12);
    return {
      kind,
      target: `${one.name} ${chosen} for ${wait_ms} ms`,
      async run() {
        const proxies = desk.proxiesOf(one)[to];
        for (const proxy of proxies) proxy.flow(chosen);
        await pause(wait_ms);
        for (const proxy of proxies) proxy.flow('open');
      },
    };
  };

const silences = ['silent', 'silent', 'silent to', 'silent from'] as const;

const redisGone: Draw = (desk, random) => {
  const wait_ms = between(random, 0.5, 4);
  return {
    kind: 'redis gone',
    target: `for ${wait_ms} ms`,
    async run() {
      await desk.stopRedis();
      await pause(wait_ms);
      await desk.startRedis();
    },
  };
};

const endpoints = ['sessions.create', 'sessions.create', 'sessions.retrieve', 'refunds.create'] as const;
const misdeeds: readonly [Json, ...Json[]] = [
  { mode: 'status', status: 500 },
  { mode: 'status', status: 500, processed: true },
  { mode: 'hang_before' },
  { mode: 'hang_after' },
  { mode: 'reset_before', times: 2 },
  { mode: 'reset_after', times: 2 },
  { mode: 'truncate' },
  { mode: 'delay', delay_ms: 9_000 },
];

const providerFault: Draw = (desk, random) => {
  const fault: Json = { endpoint: random.pick(endpoints), ...random.pick(misdeeds) };
  const wait_ms = between(random, 1, 4);
  return {
    kind: 'provider fault',
    target: `${String(fault.endpoint)} ${String(fault.mode)}`,
    async run() {
      await desk.provider('POST', '/faults', fault);
      await pause(wait_ms);
    },
  };
};

/** How long the standby stands still, and how long it writes meanwhile. */
const still_ms = 150;
const writes_ms = 30;

const slowDisk: Draw = (desk, random) => {
  const wait_ms = between(random, 2, 8);
  return {
    kind: 'slow disk',
    target: `for ${wait_ms} ms`,
    async run() {
      const { database } = desk;
      const node = database.standby();
      const end = performance.now() + wait_ms;
      while (performance.now() < end) {
        await database.signal(node, 'walreceiver', 'SIGSTOP');
        await pause(still_ms);
        await database.signal(node, 'walreceiver', 'SIGCONT');
        await pause(writes_ms);
      }
    },
  };
};

const fullDisk: Draw = (desk, random) => {
  const wait_ms = between(random, 2, 6);
  return {
    kind: 'full disk',
    target: `for ${wait_ms} ms`,
    async run() {
      const node = desk.database.primary();
      await desk.fillDisk(node, true);
      await pause(wait_ms);
      await desk.fillDisk(node, false);
      // It ends where it cannot write its log, as it should; its supervisor starts it again.
      await desk.database.revive(node);
    },
  };
};

const databaseRestart: Draw = (desk, random) => {
  const wait_ms = between(random, 0, 3);
  return {
    kind: 'database restart',
    target: `after ${wait_ms} ms`,
    async run() {
      const node = desk.database.primary();
      await desk.database.kill(node);
      await pause(wait_ms);
      await desk.database.revive(node);
    },
  };
};

const failover: Draw = (desk) => ({
  kind: 'failover',
  target: 'primary killed',
  async run() {
    await desk.database.kill(desk.database.primary());
    await desk.database.promote();
  },
});

const silentFailover: Draw = (desk) => ({
  kind: 'silent failover',
  target: 'primary silent',
  async run() {
    const node = desk.database.primary();
    await desk.database.signal(node, '', 'SIGSTOP');
    for (const proxy of desk.databaseProxies(node)) proxy.flow('silent');
    await desk.database.promote();
    await desk.database.kill(node);
    for (const proxy of desk.databaseProxies(node)) {
      proxy.drop();
      proxy.flow('open');
    }
  },
});

const rollingRestart: Draw = (desk) => ({
  kind: 'rolling restart',
  target: 'all processes',
  async run() {
    for (const one of desk.processes) {
      desk.balancer.drain(one.port, true);
      await desk.restart(one);
      desk.balancer.drain(one.port, false);
      await desk.untilReady([one]);
    }
  },
});

interface Choice {
  kind: FaultKind;
  weight: number;
  draw: Draw;
}

/** One process each; others go on meanwhile. */
export const processFaults: readonly Choice[] = [
  { kind: 'kill', weight: 5, draw: kill },
  { kind: 'clock', weight: 3, draw: clock },
  { kind: 'database cut', weight: 3, draw: flow('database cut', 'database', ['cut']) },
  { kind: 'database silent', weight: 2, draw: flow('database silent', 'database', silences) },
  { kind: 'redis cut', weight: 2, draw: flow('redis cut', 'redis', ['cut']) },
  { kind: 'redis silent', weight: 1, draw: flow('redis silent', 'redis', silences) },
  { kind: 'provider cut', weight: 2, draw: flow('provider cut', 'provider', ['cut']) },
  { kind: 'provider silent', weight: 2, draw: flow('provider silent', 'provider', silences) },
];

/** Processes that stand still for long, beside everything else. */
export const longFaults: readonly Choice[] = [{ kind: 'stop', weight: 1, draw: stop }];

/** What all processes share. */
export const sharedFaults: readonly Choice[] = [
  { kind: 'provider fault', weight: 6, draw: providerFault },
  { kind: 'redis gone', weight: 2, draw: redisGone },
  { kind: 'slow disk', weight: 2, draw: slowDisk },
  { kind: 'full disk', weight: 1, draw: fullDisk },
  { kind: 'database restart', weight: 1, draw: databaseRestart },
];

/** Measured by themselves: no other fault is under way. */
export const loneFaults: readonly Choice[] = [
  { kind: 'rolling restart', weight: 2, draw: rollingRestart },
  { kind: 'failover', weight: 2, draw: failover },
  { kind: 'silent failover', weight: 1, draw: silentFailover },
];

/** One of these by its weight; null where none of them is switched on. */
export function chooseFault(
  choices: readonly Choice[],
  desk: Desk,
  random: Random,
  one: PaydeskProcess,
): Fault | null {
  const on = choices.filter(({ kind }) => desk.kinds.has(kind));
  let left = random.next() * on.reduce((sum, { weight }) => sum + weight, 0);
  for (const { weight, draw } of on) {
    left -= weight;
    if (left < 0) return draw(desk, random, one);
  }
  return null;
}
