/** What a measurement leaves of the cores: whether a process ran, waited for a core, or had nothing to do. */
import { readFile } from 'node:fs/promises';
import { cpus } from 'node:os';

/** Shares of the time between two readings; NaN if the system does not tell. */
export interface CoreUse {
  /** How long the main thread of the process ran, on one core. */
  ran: number;
  /** How long it could have run and waited for a core. */
  waited: number;
  /** How long the cores of the machine had nothing to do, on average. */
  idle: number;
}

interface Reading {
  at_ms: number;
  ran_ms: number;
  waited_ms: number;
  idle_ms: number;
}

/** Linux counts the time of cores in hundredths of a second. */
const tick_ms = 10;

/** Begins to watch a process and the machine; `end` tells what has been seen. */
export async function watchCores(pid: number | undefined): Promise<{ end: () => Promise<CoreUse> }> {
  const before = await read(pid);
  return { end: async () => useBetween(before, await read(pid)) };
}

function useBetween(before: Reading, after: Reading): CoreUse {
  const share = (of: 'ran_ms' | 'waited_ms' | 'idle_ms'): number =>
    (after[of] - before[of]) / (after.at_ms - before.at_ms);
  return { ran: share('ran_ms'), waited: share('waited_ms'), idle: share('idle_ms') / cpus().length };
}

/** How long the main thread of a process has run so far, and waited for a core; NaN if the system does not tell. */
export async function readSchedule(pid: number | undefined): Promise<Pick<Reading, 'ran_ms' | 'waited_ms'>> {
  const [ran_ns, waited_ns] = numbersOf(await textOf(`/proc/${pid ?? 'none'}/schedstat`));
  return { ran_ms: (ran_ns ?? NaN) / 1_000_000, waited_ms: (waited_ns ?? NaN) / 1_000_000 };
}

async function read(pid: number | undefined): Promise<Reading> {
  const [schedule, machine] = await Promise.all([readSchedule(pid), textOf('/proc/stat')]);
  // User, nice, system, idle, and waiting for a disk, in which a core has nothing to do either.
  const [, , , idle, for_disk] = numbersOf(/^cpu +(.*)$/m.exec(machine)?.[1] ?? '');
  const idle_ms = ((idle ?? NaN) + (for_disk ?? NaN)) * tick_ms;
  return { at_ms: performance.now(), ...schedule, idle_ms };
}

const textOf = (file: string): Promise<string> => readFile(file, 'utf8').catch(() => '');

const numbersOf = (text: string): number[] =>
  text.trim() === '' ? [] : text.trim().split(/\s+/).map(Number);
