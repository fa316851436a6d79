/** `verify`: the time and the peak memory of `paydesk verify-ledger` on a million entries. */
import { spawn } from 'node:child_process';
import { text } from 'node:stream/consumers';
import type { Bench } from '../bench.ts';
import { BenchError } from '../bench-error.ts';
import { memoryOf } from '../processes/children.ts';
import type { Database } from '../database/database.ts';
import type { Figure } from '../figures.ts';
import { baseEnvironment, program } from '../processes/service.ts';
import { makeBooks } from '../setup/books.ts';

/** The minimum that any check of the books must do: sum every transfer by account once. */
const bareSum = `SELECT count(*) FROM (
  SELECT merchant_id, credit_account, currency, sum(amount) FROM ledger_transfers GROUP BY 1, 2, 3) AS sums`;

const millionEntries = 1_000_000;
/** A payment and the end of its hold. */
const entriesOfOrder = 2;

export async function benchVerify(bench: Bench): Promise<Figure[]> {
  const { database } = await makeBooks(bench, millionEntries / entriesOfOrder);
  await measureTime(() => database.query(bareSum));
  const before = await measureTime(() => database.query(bareSum));
  bench.say('verify: checking the books');
  const { time_ms, memory_bytes } = await runVerification(database);
  const again = await runVerification(database, '--since-last');
  const after = await measureTime(() => database.query(bareSum));
  const time = { what: 'verify-ledger on 1,000,000 entries', value: time_ms, unit: 'ms' } as const;
  return [
    {
      ...time,
      name: 'verify.time',
      reference: { what: 'one bare sum by account', value: (before + after) / 2 },
    },
    { ...time, name: 'verify.time.limit', reference: null },
    {
      name: 'verify.since-last.time',
      what: 'verify-ledger --since-last on the same books, with nothing new',
      value: again.time_ms,
      unit: 'ms',
      reference: { what: 'the full check', value: time_ms },
    },
    {
      name: 'verify.memory',
      what: 'peak memory of verify-ledger (VmHWM)',
      value: memory_bytes === null ? NaN : memory_bytes / 1_000_000,
      unit: 'MB',
      reference: null,
    },
  ];
}

async function measureTime(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await work();
  return performance.now() - start;
}

/** Runs the command like an operator, and samples its memory until it ends. */
export async function runVerification(
  { url }: Database,
  ...args: string[]
): Promise<{ time_ms: number; memory_bytes: number | null }> {
  const start = performance.now();
  const child = spawn(process.execPath, [program, 'verify-ledger', ...args], {
    env: { ...baseEnvironment(), DATABASE_URL: url },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let memory_bytes: number | null = null;
  const watch = setInterval(() => {
    void memoryOf(child.pid ?? 0, 'VmHWM').then((bytes) => {
      memory_bytes = bytes ?? memory_bytes;
    });
  }, 20);
  try {
    const ended = new Promise<number | null>((resolve) => child.once('close', resolve));
    const [output, errors, code] = await Promise.all([text(child.stdout), text(child.stderr), ended]);
    const time_ms = performance.now() - start;
    if (code !== 0)
      throw new BenchError(`"paydesk verify-ledger" failed:\n${(errors + output).slice(0, 2_000)}`);
    return { time_ms, memory_bytes };
  } finally {
    clearInterval(watch);
    child.kill();
  }
}
