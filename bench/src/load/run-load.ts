/** Runs the load generator in a process of its own. */
import { fork } from 'node:child_process';
import { BenchError } from '../bench-error.ts';
import type { LoadPlan, LoadResult } from './plan.ts';

const worker = new URL('./worker.js', import.meta.url);

/** The server under load. */
export interface Target {
  url: string;
  pid: number;
  /** The CPU time of its process so far, in milliseconds; null if the system does not provide it. */
  cpuTime: () => Promise<number | null>;
  /** The end of its output, for the message of a failure. */
  lastOutput: () => Promise<string>;
}

export interface Measurement extends LoadResult {
  /** CPU time of the target’s process per answer; NaN if the system does not provide it. */
  cpu_ms: number;
}

/** Runs a plan against a target. */
export type Load = (target: Target, plan: Omit<LoadPlan, 'origin'>) => Promise<Measurement>;

/**
 * Runs a plan in a process of its own, so that the load generator does not share an event loop with other
 * work.
 *
 * @throws BenchError if an answer was not the expected one, because the rate would mean nothing
 */
export async function runLoad(
  target: Target,
  plan: Omit<LoadPlan, 'origin'>,
  signal: AbortSignal,
): Promise<Measurement> {
  const before = await target.cpuTime();
  const result = await runInProcess({ ...plan, origin: target.url, pid: target.pid }, signal);
  signal.throwIfAborted();
  const after = await target.cpuTime();
  if (result.wrong > 0) {
    const { method, path } = plan.template;
    throw new BenchError(
      `${method} ${path}: ${result.wrong} answers other than ${plan.expect}; the first one: ${result.first_wrong}\n${await target.lastOutput()}`,
    );
  }
  const used = before === null || after === null ? NaN : after - before;
  return { ...result, cpu_ms: used / result.all_answers };
}

function runInProcess(plan: LoadPlan, signal: AbortSignal): Promise<LoadResult> {
  return new Promise((resolve, reject) => {
    const child = fork(worker, { serialization: 'advanced', signal, execArgv: [] });
    child.once('message', ({ result }: { result: LoadResult }) => {
      resolve(result);
    });
    child.once('error', reject);
    child.once('exit', (code, killed) => {
      reject(new BenchError(`The load generator ended early (${killed ?? `code ${code ?? 0}`}).`));
    });
    child.send(plan);
  });
}
