/** The benchmark `route`, and the bare route as a reference for other benchmarks. */
import { type Bench, connections } from '../bench.ts';
import type { Figure, Reference } from '../figures.ts';
import type { Measurement } from '../load/run-load.ts';
import { routeLoad } from '../processes/route.ts';

const what = 'bare Fastify route';

function measureRoute(bench: Bench): Promise<Measurement> {
  return bench.once('rate of the bare route', async () => {
    bench.say('route: the bare Fastify route');
    const seconds = Math.max(2, bench.seconds / 2);
    return bench.load(await bench.route(), routeLoad({ kind: 'closed', warm_up_s: 2, seconds }, connections));
  });
}

/** The rate of the bare route, as a reference for measurements over HTTP. */
export async function routeRate(bench: Bench): Promise<Reference> {
  return { what, value: (await measureRoute(bench)).rate };
}

/** The CPU time of the bare route per request, as a reference. */
export async function routeCpu(bench: Bench): Promise<Reference> {
  return { what, value: (await measureRoute(bench)).cpu_ms };
}

/** The latencies of the bare route at a constant rate. */
export async function routeAt(bench: Bench, per_second: number): Promise<Measurement> {
  const pace = {
    kind: 'constant',
    per_second,
    warm_up_s: 1,
    seconds: Math.max(2, bench.seconds / 2),
  } as const;
  return bench.load(await bench.route(), routeLoad(pace, connections));
}

/** `route`: the highest rate that HTTP and the load generator allow. */
export async function benchRoute(bench: Bench): Promise<Figure[]> {
  const { rate, p50_ms, p99_ms, cpu_ms } = await measureRoute(bench);
  const figure = { reference: null };
  return [
    {
      ...figure,
      name: 'route.rate',
      what: `GET of a bare Fastify route, ${connections} clients`,
      value: rate,
      unit: 'per second',
    },
    { ...figure, name: 'route.p50', what: 'its median', value: p50_ms, unit: 'ms' },
    { ...figure, name: 'route.p99', what: 'its p99', value: p99_ms, unit: 'ms' },
    { ...figure, name: 'route.cpu', what: 'its CPU time per request', value: cpu_ms, unit: 'ms' },
  ];
}
