/** `start`: the time from the start of a process to its readiness on a migrated database, and its memory at rest. */
import { setTimeout as pause } from 'node:timers/promises';
import { type Bench, createMigratedDatabase } from '../bench.ts';
import type { Figure } from '../figures.ts';
import { readSchedule } from '../load/core-use.ts';
import { newSecretKey, startService } from '../processes/service.ts';

/** How often the process starts. The median counts. */
const starts = 5;
/** How long it does nothing until its memory is read. */
const rest_s = 15;

export async function benchStart(bench: Bench): Promise<Figure[]> {
  const { url } = await createMigratedDatabase(bench, 'start');
  const { cert_file } = await bench.certificate();
  const { dir, signal } = bench;
  const secret_key = newSecretKey();
  const start = () =>
    startService({ database_url: url, dir, cpu_prof: null, signal, receivers_ca: cert_file, secret_key });
  bench.say(`start: ${starts} starts`);
  const times: { ready: number; ran: number; waited: number }[] = [];
  for (let i = 0; i < starts; i++) {
    const begun = performance.now();
    const service = await start();
    const { ran_ms, waited_ms } = await readSchedule(service.pid);
    times.push({ ready: performance.now() - begun, ran: ran_ms, waited: waited_ms });
    await service.stop();
  }
  bench.say(`start: ${rest_s} seconds of rest`);
  const service = await bench.startOnce('the resting service', start);
  await pause(rest_s * 1_000, undefined, { signal });
  const at_rest = await service.memory();
  await service.stop();
  const reference = null;
  const median = (of: 'ready' | 'ran' | 'waited'): number =>
    times.map((one) => one[of]).sort((a, b) => a - b)[Math.floor(starts / 2)] ?? NaN;
  return [
    ...(
      [
        ['ready', 'from start to ready'],
        ['ran', 'of it, the main thread ran'],
        ['waited', 'of it, the main thread waited for a core'],
      ] as const
    ).map(([of, what]): Figure => ({
      ...{ name: `start.${of}`, what: `${what}, median of ${starts}` },
      ...{ value: median(of), unit: 'ms', reference },
    })),
    {
      name: 'start.memory',
      what: `memory (VmRSS) after ${rest_s} seconds of rest`,
      value: at_rest === null ? NaN : at_rest / 1_000_000,
      unit: 'MB',
      reference,
    },
  ];
}
