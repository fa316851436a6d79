/**
 * `cluster`: orders created and read and PTK payments per second on the Citus cluster that `CITUS_URL` names, against the
 * benchmark’s own PostgreSQL. One service runs on each all the time, and they are measured in turn.
 */
import type { Bench } from '../bench.ts';
import { clusterShards } from '../database/cluster.ts';
import type { Figure } from '../figures.ts';
import { comparePaths } from './in-turn.ts';

export async function benchCluster(bench: Bench): Promise<Figure[]> {
  const cluster = await bench.onCluster();
  if (cluster === null) {
    bench.say('cluster: skipped: CITUS_URL names no Citus cluster (docs/scaling.md)');
    return [];
  }
  return comparePaths([cluster, bench], {
    name: 'cluster',
    where: `on a cluster with ${clusterShards} shards`,
    reference: 'one PostgreSQL, in turn',
  });
}
