/** The load generator: sends the requests of a plan at a pace and measures the answers. */
import { setTimeout as pause } from 'node:timers/promises';
import { type Connection, openConnection } from './connection.ts';
import { type CoreUse, watchCores } from './core-use.ts';
import { percentile } from './percentile.ts';
import type { LoadPlan, LoadResult, Pace } from './plan.ts';
import { type Answer, requestsOf } from './requests.ts';

/** Runs a plan in this process, with keep-alive connections and one request at a time on each. */
export async function generate(plan: LoadPlan): Promise<LoadResult> {
  const requests = requestsOf(plan);
  const origin = new URL(plan.origin);
  const connections = Array.from({ length: plan.connections }, () => openConnection(origin));
  const tally = createTally(plan);
  const state = { next: 0, running: true };

  /** The next request; undefined if all are sent or the time is over. */
  const take = () => {
    const index = plan.repeat ? state.next % requests.length : state.next;
    const request = requests[index];
    if (!state.running || request === undefined) return undefined;
    state.next += 1;
    return { index, request };
  };
  const one = async (connection: Connection, due: number): Promise<boolean> => {
    const taken = take();
    if (taken === undefined) return false;
    const answer = await connection.send(taken.request);
    tally.count(taken.index, answer, due, performance.now());
    return true;
  };

  const limit_ms = limitOf(plan.pace);
  const timeUp = (): void => {
    state.running = false;
  };
  const timer = limit_ms === null ? null : setTimeout(timeUp, limit_ms);
  const watching = afterWarmUp(plan);
  tally.start(performance.now());
  if (plan.pace.kind === 'constant') {
    await startAtConstantRate(plan.pace.per_second, useFreeConnection(connections, one), state);
  } else {
    await Promise.all(
      connections.map(async (connection) => {
        while (await one(connection, performance.now()));
      }),
    );
  }
  tally.end(performance.now());
  const use = await watching();
  const ran_out = timer !== null && state.running;
  if (timer !== null) clearTimeout(timer);
  for (const connection of connections) connection.close();
  return { ...tally.result(), use, ran_out };
}

/** Watches the cores from the end of the warm-up on. A run that ends before tells nothing. */
function afterWarmUp({ pace, pid }: LoadPlan): () => Promise<CoreUse> {
  let watching: Promise<{ end: () => Promise<CoreUse> }> | null = null;
  const begin = (): void => {
    watching = watchCores(pid);
  };
  const timer = pace.kind === 'all' ? undefined : setTimeout(begin, pace.warm_up_s * 1_000);
  return async () => {
    clearTimeout(timer);
    return watching === null ? { ran: NaN, waited: NaN, idle: NaN } : (await watching).end();
  };
}

function limitOf(pace: Pace): number | null {
  return pace.kind === 'all' ? null : (pace.warm_up_s + pace.seconds) * 1_000;
}

/** Sends each request on a free connection, and waits for one if none is free. */
function useFreeConnection(
  connections: readonly Connection[],
  one: (connection: Connection, due: number) => Promise<boolean>,
): (due: number) => Promise<boolean> {
  const free = [...connections];
  const waiting: ((connection: Connection) => void)[] = [];
  return async (due) => {
    const connection = free.pop() ?? (await new Promise<Connection>((resolve) => waiting.push(resolve)));
    try {
      return await one(connection, due);
    } finally {
      const next = waiting.shift();
      if (next === undefined) free.push(connection);
      else next(connection);
    }
  };
}

/**
 * Starts requests at a constant rate and waits for the last answer. Timers have a resolution of a
 * millisecond, so each tick starts all requests that are due. A late start counts as latency.
 */
async function startAtConstantRate(
  per_second: number,
  one: (due: number) => Promise<boolean>,
  state: { readonly running: boolean },
): Promise<void> {
  const start = performance.now();
  const open = new Set<Promise<unknown>>();
  let started = 0;
  while (state.running) {
    const due_by_now = Math.floor(((performance.now() - start) / 1_000) * per_second);
    for (; started < due_by_now; started++) {
      const request = one(start + (started / per_second) * 1_000);
      open.add(request);
      void request.then(() => open.delete(request));
    }
    await pause(1);
  }
  await Promise.all(open);
}

interface Tally {
  start(now: number): void;
  count(index: number, answer: Answer, due: number, end: number): void;
  end(now: number): void;
  result(): Omit<LoadResult, 'ran_out' | 'use'>;
}

/** Counts answers, and measures the latency of those that were due after the warm-up. */
function createTally({ pace, expect, keep, rows }: LoadPlan): Tally {
  const times: number[] = [];
  const kept: (string[] | null)[] = keep.length === 0 ? [] : rows.map(() => null);
  const warm_up_ms = pace.kind === 'all' ? 0 : pace.warm_up_s * 1_000;
  let timed_from = 0;
  let timed_to = 0;
  let all_answers = 0;
  let wrong = 0;
  let first_wrong = '';
  return {
    start(now) {
      timed_from = now + warm_up_ms;
    },
    count(index, { status, text }, due, end) {
      if (status !== expect) {
        wrong += 1;
        if (wrong === 1) first_wrong = `${status} ${text.slice(0, 300)}`;
        return;
      }
      all_answers += 1;
      if (keep.length > 0) kept[index] = membersOf(text, keep);
      if (due >= timed_from) times.push(end - due);
    },
    end(now) {
      timed_to = now;
    },
    result() {
      const sorted = Float64Array.from(times).sort();
      const seconds = Math.max(0.001, (timed_to - timed_from) / 1_000);
      return {
        rate: times.length / seconds,
        answers: times.length,
        seconds,
        all_answers,
        p50_ms: percentile(sorted, 0.5),
        p99_ms: percentile(sorted, 0.99),
        max_ms: percentile(sorted, 1),
        wrong,
        first_wrong,
        kept,
      };
    },
  };
}

function membersOf(text: string, keep: readonly string[]): string[] {
  const body = JSON.parse(text) as Record<string, unknown>;
  return keep.map((name) => String(body[name]));
}
