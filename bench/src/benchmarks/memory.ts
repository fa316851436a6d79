import type { Bench } from '../bench.ts';
import type { Figure } from '../figures.ts';

/** The most memory that the service has held in the benchmarks that ran. */
export async function memoryOf(bench: Bench): Promise<Figure[]> {
  const inMb = (bytes: number | null): number => (bytes === null ? NaN : bytes / 1_000_000);
  const peak = await (await bench.service()).peakMemory();
  const bare = await (await bench.route()).peakMemory();
  return [
    {
      name: 'memory.service',
      what: 'peak memory of the service (VmHWM)',
      value: inMb(peak),
      unit: 'MB',
      reference: { what: 'bare Fastify route', value: inMb(bare) },
    },
  ];
}
