/**
 * `cluster`: orders created and read and PTK payments per second on the Citus cluster that `CITUS_URL` names, against the
 * benchmark’s own PostgreSQL. One service runs on each all the time, and they are measured in turn.
 */
import {
  type Bench,
  createOrders,
  meanOf,
  measureInClosedLoop,
  measureInTurns,
  warm_up_s,
} from '../bench.ts';
import { clusterShards } from '../database/cluster.ts';
import type { Figure } from '../figures.ts';
import type { Pace } from '../load/plan.ts';
import type { Measurement } from '../load/run-load.ts';
import { creatingOrders } from './create.ts';
import { buyersOf, payingOrders } from './ptk.ts';
import { readingOrders } from './read.ts';

const orderCount = 3_000;

type Measure = (pace: Pace, count: number) => Promise<Measurement>;

export async function benchCluster(bench: Bench): Promise<Figure[]> {
  const cluster = await bench.onCluster();
  if (cluster === null) {
    bench.say('cluster: skipped: CITUS_URL names no Citus cluster (docs/scaling.md)');
    return [];
  }
  const both = [cluster, bench] as const;
  const reading = async (on: Bench): Promise<Measure> =>
    readingOrders(on, await createOrders(on, await on.callers(), orderCount), false);
  const paying = async (on: Bench): Promise<Measure> => {
    await buyersOf(on);
    return payingOrders(on, await on.callers());
  };
  const creating = (on: Bench): Promise<Measure> => Promise.resolve(creatingOrders(on));
  const compared: [string, string, (on: Bench) => Promise<Measure>][] = [
    ['cluster.create', 'orders created', creating],
    ['cluster.ptk', 'PTK payments to many merchants', paying],
    ['cluster.read', 'orders read, cached token', reading],
  ];
  const figures: Figure[] = [];
  for (const [name, what, measureOn] of compared) {
    const measures = [await measureOn(both[0]), await measureOn(both[1])] as const;
    figures.push(await compare(bench, name, what, measures));
  }
  return figures;
}

async function compare(
  bench: Bench,
  name: string,
  what: string,
  [cluster, plain]: readonly [Measure, Measure],
): Promise<Figure> {
  bench.say(`${name}: warming up`);
  const warm = { kind: 'closed', warm_up_s, seconds: 2 } as const;
  const [slow, fast] = [await cluster(warm, 6_000), await plain(warm, 6_000)];
  bench.say(`${name}: per second, the cluster and one PostgreSQL in turn`);
  const [ofCluster, ofPlain] = await measureInTurns<[Measurement, Measurement]>(bench, [
    (seconds) => measureInClosedLoop(bench, slow.rate, cluster, seconds),
    (seconds) => measureInClosedLoop(bench, fast.rate, plain, seconds),
  ]);
  const rate = ({ rate: per_second }: Measurement): number => per_second;
  bench.say(`${name}: ${Math.round(meanOf(ofCluster, rate))} against ${Math.round(meanOf(ofPlain, rate))}`);
  return {
    name,
    what: `${what}, on a cluster with ${clusterShards} shards`,
    value: meanOf(ofCluster, rate),
    unit: 'per second',
    reference: { what: 'one PostgreSQL, in turn', value: meanOf(ofPlain, rate) },
  };
}
