/** The memory of the service after the benchmarks. */
import type { Bench } from '../bench.ts';
import type { Figure } from '../figures.ts';

/** The peak memory of the service in all benchmarks of the run. */
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
