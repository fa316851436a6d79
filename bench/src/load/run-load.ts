import { fork } from 'node:child_process';
import { BenchError } from '../bench-error.ts';
import type { LoadPlan, LoadResult } from './plan.ts';

const worker = new URL('./worker.js', import.meta.url);

/** What is put under load. */
export interface Target {
  url: string;
  /** The CPU time its process has used so far, in milliseconds; null where the system does not tell. */
  cpuTime: () => Promise<number | null>;
}

export interface Measurement extends LoadResult {
  /** CPU time of the target's process per answer; NaN where the system does not tell. */
  cpu_ms: number;
}

/** Puts a target under load. */
export type Load = (target: Target, plan: Omit<LoadPlan, 'origin'>) => Promise<Measurement>;

/**
 * Runs a plan in a process of its own, so that the load does not share an event loop with anything it measures.
 *
 * @throws BenchError where an answer was not as expected: such a rate would mean nothing
 */
export async function runLoad(
  target: Target,
  plan: Omit<LoadPlan, 'origin'>,
  signal: AbortSignal,
): Promise<Measurement> {
  const before = await target.cpuTime();
  const result = await inProcess({ ...plan, origin: target.url }, signal);
  signal.throwIfAborted();
  const after = await target.cpuTime();
  if (result.wrong > 0) {
    const { method, path } = plan.template;
    throw new BenchError(
      `${method} ${path}: ${result.wrong} answers other than ${plan.expect}, the first: ${result.first_wrong}`,
    );
  }
  const used = before === null || after === null ? NaN : after - before;
  return { ...result, cpu_ms: used / result.all_answers };
}

function inProcess(plan: LoadPlan, signal: AbortSignal): Promise<LoadResult> {
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
