/** `verify`: the time and the peak memory of `paydesk verify-ledger` on a million entries. */
import { spawn } from 'node:child_process';
import { text } from 'node:stream/consumers';
import { type Bench, createMigratedDatabase } from '../bench.ts';
import { BenchError } from '../bench-error.ts';
import { fillBooks, millionEntries } from '../database/books.ts';
import { memoryOf } from '../processes/children.ts';
import type { Database } from '../database/database.ts';
import type { Figure } from '../figures.ts';
import { baseEnvironment, program } from '../processes/service.ts';

/** The minimum that any check of the books must do: sum every transfer by account once. */
const bareSum = `SELECT count(*) FROM (
  SELECT merchant_id, credit_account, currency, sum(amount) FROM ledger_transfers GROUP BY 1, 2, 3) AS sums`;

export async function benchVerify(bench: Bench): Promise<Figure[]> {
  const database = await createMigratedDatabase(bench, 'books');
  bench.say('verify: filling the books with a million entries');
  await fillBooks(database, millionEntries);
  await measureTime(() => database.query(bareSum));
  const before = await measureTime(() => database.query(bareSum));
  bench.say('verify: checking the books');
  const { time_ms, memory_bytes } = await runVerification(database);
  const after = await measureTime(() => database.query(bareSum));
  return [
    {
      name: 'verify.time',
      what: 'verify-ledger on 1,000,000 entries',
      value: time_ms,
      unit: 'ms',
      reference: { what: 'one bare sum by account', value: (before + after) / 2 },
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
async function runVerification({ url }: Database): Promise<{ time_ms: number; memory_bytes: number | null }> {
  const start = performance.now();
  const child = spawn(process.execPath, [program, 'verify-ledger'], {
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
