/**
 * `cluster`: orders created and read and PTK payments per second on the Citus cluster that `CITUS_URL` names, against the
 * benchmark’s own PostgreSQL. One service runs on each all the time, and they are measured in turn.
 */
import { type Bench, createOrders } from '../bench.ts';
import { clusterShards } from '../database/cluster.ts';
import type { Figure } from '../figures.ts';
import { creatingOrders } from './create.ts';
import { compareInTurn, type Measure } from './in-turn.ts';
import { buyersOf, payingOrders } from './ptk.ts';
import { readingOrders } from './read.ts';

const orderCount = 3_000;

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
    const described = {
      name,
      what: `${what}, on a cluster with ${clusterShards} shards`,
      reference: 'one PostgreSQL, in turn',
    };
    figures.push(await compareInTurn(bench, described, measures));
  }
  return figures;
}
