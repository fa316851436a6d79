/** Whether this process can serve: makes all checks at once, and says in words how each of them went. */
import { setTimeout as pause } from 'node:timers/promises';
import { Gauge, type Registry } from 'prom-client';

/**
 * One check: resolves with a word about what it found, for people; rejects while its part is not ready. It may be asked
 * again before it has answered.
 */
export type Check = () => Promise<string>;

/** A part is not ready. Anyone may read the message: it names no address, no person and no secret. */
export class NotReadyError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'NotReadyError';
  }
}

/** How one check went. */
export interface CheckResult {
  name: string;
  /** Null where it is ready. */
  error: unknown;
  word: string;
}

/** A part that takes longer is not ready: `/readyz` answers within two seconds (H-24). */
const usualLimit_ms = 1_200;

/**
 * Makes all checks at once, in their order. Calls at the same time share one run, so that they cost the database one.
 *
 * @param limit_ms how long a check may take
 */
export function createReadiness(
  checks: Readonly<Record<string, Check>>,
  limit_ms = usualLimit_ms,
): () => Promise<CheckResult[]> {
  let running: Promise<CheckResult[]> | null = null;
  return () => (running ??= runAll(checks, limit_ms).finally(() => (running = null)));
}

/** Makes all checks; `paydesk_ready` shows how they went the last time (D-1019). */
export function shownReadiness(
  checks: Readonly<Record<string, Check>>,
  registry: Registry,
  limit_ms?: number,
): () => Promise<CheckResult[]> {
  const check = createReadiness(checks, limit_ms);
  let last: CheckResult[] = [];
  new Gauge({
    name: 'paydesk_ready',
    help: 'Whether each part that readiness depends on was ready (1) or not (0), when it was last looked at.',
    labelNames: ['part'],
    registers: [registry],
    collect() {
      for (const { name, error } of last) this.set({ part: name }, error === null ? 1 : 0);
    },
  });
  return async () => (last = await check());
}

async function runAll(checks: Readonly<Record<string, Check>>, limit_ms: number): Promise<CheckResult[]> {
  const stop = new AbortController();
  const late = pause(limit_ms, undefined, { signal: stop.signal }).then(() => {
    throw new NotReadyError(`no answer within ${limit_ms} ms`);
  });
  late.catch(() => undefined);
  const results = await Promise.all(
    Object.entries(checks).map(async ([name, check]) => {
      try {
        return { name, error: null, word: await Promise.race([check(), late]) };
      } catch (error) {
        return { name, error, word: wordOf(error) };
      }
    }),
  );
  stop.abort();
  return results;
}

/** An error of the driver may name addresses and people, so it is only in the log. */
const wordOf = (error: unknown): string =>
  error instanceof NotReadyError ? error.message : 'it does not work; the log of the process says why';

/** All checks as text, one line each, as Kubernetes writes them. */
export function reportOf(results: readonly CheckResult[]): string {
  const lines = results.map(({ name, error, word }) =>
    error === null ? `[+]${name} ok: ${word}` : `[-]${name} failed: ${word}`,
  );
  const isReady = results.every(({ error }) => error === null);
  return `${[...lines, `readyz check ${isReady ? 'passed' : 'failed'}`].join('\n')}\n`;
}
