/**
 * `create`: orders created per second, against pgbench storing the same rows in one statement; and the
 * latencies at half of that rate.
 */
import {
  measureBetweenReferences,
  type Bench,
  connections,
  measureInClosedLoop,
  merchantsOf,
  warm_up_s,
} from '../bench.ts';
import type { Figure } from '../figures.ts';
import type { Pace } from '../load/plan.ts';
import type { Measurement } from '../load/run-load.ts';
import { creation, creationRow } from '../setup/orders.ts';
import type { Measured } from '../database/pgbench.ts';
import { insertScript } from '../database/reference-rows.ts';
import { routeAt, routeCpu, routeRate } from './route.ts';
import { useOf, withLoopDelay } from './where-time-goes.ts';

/** Creates orders at a pace, each by a caller within its rate limits. */
export const creatingOrders =
  (bench: Bench, service = bench.service()) =>
  async (pace: Pace, count: number): Promise<Measurement> => {
    const callers = await (await bench.callers()).forCreations(count);
    return bench.load(await service, {
      connections,
      pace,
      template: creation,
      rows: callers.map(creationRow),
      repeat: false,
      expect: 201,
      keep: [],
    });
  };

export async function benchCreate(bench: Bench): Promise<Figure[]> {
  const { seconds } = bench;
  const { database, rows } = await bench.reference();
  const pgbench = await bench.pgbench();
  const merchants = await merchantsOf(bench);
  let runs = 0;
  const storeTheSame = (half: number): Promise<Measured> =>
    pgbench.measure(database.connection, insertScript(rows, merchants, runs++), connections, half);
  const http = await routeRate(bench);
  const httpCpu = await routeCpu(bench);

  bench.say('create: warming up');
  const probe = await creatingOrders(bench)({ kind: 'closed', warm_up_s, seconds: 2 }, 9_000);
  bench.say('create: orders per second, between two halves of the reference');
  const { result: most, reference } = await measureBetweenReferences(bench, storeTheSame, () =>
    measureInClosedLoop(bench, probe.rate, creatingOrders(bench)),
  );

  const per_second = most.rate / 2;
  bench.say('create: latencies at half of that rate');
  const { measured: half, figures: meanwhile } = await withLoopDelay(bench, 'create.half', () =>
    creatingOrders(bench)(
      { kind: 'constant', per_second, warm_up_s, seconds },
      Math.ceil(per_second * (warm_up_s + seconds)) + 1,
    ),
  );
  const bare = await routeAt(bench, per_second);

  const stored = `pgbench, the same ${rows.length} rows in one statement, ${connections} clients`;
  const byRoute = 'bare Fastify route at the same rate';
  return [
    {
      name: 'create.rate',
      what: `orders created, ${connections} clients`,
      value: most.rate,
      unit: 'per second',
      reference: { what: stored, value: reference.rate },
    },
    {
      name: 'create.rate.http',
      what: 'the same, against HTTP alone',
      value: most.rate,
      unit: 'per second',
      reference: http,
    },
    {
      name: 'create.p50',
      what: `median at the full rate`,
      value: most.p50_ms,
      unit: 'ms',
      reference: { what: `${stored}, on average`, value: reference.latency_ms },
    },
    {
      name: 'create.cpu',
      what: 'CPU time of the service per order',
      value: most.cpu_ms,
      unit: 'ms',
      reference: httpCpu,
    },
    { name: 'create.p99', what: 'p99 at the full rate', value: most.p99_ms, unit: 'ms', reference: null },
    {
      name: 'create.half.p50',
      what: `median at half of the rate`,
      value: half.p50_ms,
      unit: 'ms',
      reference: { what: byRoute, value: bare.p50_ms },
    },
    {
      name: 'create.half.p99',
      what: 'p99 at half of the rate',
      value: half.p99_ms,
      unit: 'ms',
      reference: { what: byRoute, value: bare.p99_ms },
    },
    ...useOf('create', [most]),
    ...meanwhile,
  ];
}
