/**
 * `processes`: orders read and created, and payments to one balance, per second by `serve --processes auto`, against one
 * process on the same database. Both run all the time and are measured in turn, with the generator of the load beside them.
 */
import {
  type Bench,
  connections,
  createOrders,
  meanOf,
  measureInClosedLoop,
  measureInTurns,
  warm_up_s,
} from '../bench.ts';
import type { Figure } from '../figures.ts';
import type { Pace } from '../load/plan.ts';
import type { Measurement } from '../load/run-load.ts';
import { type Service, startService } from '../processes/service.ts';
import { creatingOrders } from './create.ts';
import { buyersOf, payingOrders } from './ptk.ts';
import { readingOrders } from './read.ts';

const orderCount = 2_000;

/** Requests of the trial, which must not run out: more than several processes answer in its three seconds. */
const trialCount = 40_000;

type Measure = (pace: Pace, count: number) => Promise<Measurement>;

export async function benchProcesses(bench: Bench): Promise<Figure[]> {
  const one = await bench.service();
  const several = await bench.startOnce('the processes', () => startSeveral(bench, one));
  bench.say(`processes: creating ${orderCount} orders`);
  const orders = await createOrders(bench, await bench.callers(), orderCount);
  const reading = (service: Service): Measure =>
    readingOrders(bench, orders, false, Promise.resolve(service));
  const creating = (service: Service): Measure => creatingOrders(bench, Promise.resolve(service));
  await buyersOf(bench);
  const ofOneBalance = await bench.callersOfOne('merchant_without_hold');
  const paying = (service: Service): Measure =>
    payingOrders(bench, ofOneBalance, { connections, service: Promise.resolve(service) });
  const figures = [
    await compare(bench, 'processes.read', 'orders read', [reading(one), reading(several)]),
    await compare(bench, 'processes.create', 'orders created', [creating(one), creating(several)]),
    await compare(bench, 'processes.one-balance', 'payments to one merchant without a hold', [
      paying(one),
      paying(several),
    ]),
  ];
  // Their connections would be missing to the benchmarks that follow.
  await several.stop();
  return figures;
}

async function startSeveral(bench: Bench, { secret_key }: Service): Promise<Service> {
  const { url } = await bench.database();
  const { cert_file } = await bench.certificate();
  const { dir, signal } = bench;
  return startService({
    ...{ database_url: url, dir, cpu_prof: null, signal, receivers_ca: cert_file },
    ...{ secret_key, processes: 'auto' },
  });
}

async function compare(
  bench: Bench,
  name: string,
  what: string,
  [one, several]: [Measure, Measure],
): Promise<Figure> {
  bench.say(`${name}: warming up`);
  const warm = { kind: 'closed', warm_up_s, seconds: 2 } as const;
  const [slow, fast] = [await one(warm, trialCount), await several(warm, trialCount)];
  bench.say(`${name}: per second, one process and several in turn`);
  const [ofOne, ofSeveral] = await measureInTurns<[Measurement, Measurement]>(bench, [
    (seconds) => measureInClosedLoop(bench, slow.rate, one, seconds),
    (seconds) => measureInClosedLoop(bench, fast.rate, several, seconds),
  ]);
  const rate = ({ rate: per_second }: Measurement): number => per_second;
  return {
    name,
    what: `${what} by serve --processes auto`,
    value: meanOf(ofSeveral, rate),
    unit: 'per second',
    reference: { what: 'one process, in turn', value: meanOf(ofOne, rate) },
  };
}
