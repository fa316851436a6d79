/** The figures of the database for Prometheus: the pool of connections, and the version of the schema. */
import { Gauge, Histogram, type Registry } from 'prom-client';
import {
  type Database,
  type PoolObserver,
  type PoolUse,
  readSchemaVersion,
  waitingCommits,
} from '../base/pg/index.ts';
import { cachedRead, gaugesOf } from '../base/caches/cached-gauges.ts';

/** How long what is read from the database is reused. */
const cache_ms = 10_000;

/** Watches the pool of a process. Give it to `openDatabase`, then register it with that database. */
export interface DatabaseMetrics extends PoolObserver {
  register(registry: Registry, db: Database): void;
}

export function databaseMetrics(): DatabaseMetrics {
  let useNow = (): PoolUse => ({ max: 0, busy: 0, idle: 0, waiting: 0 });
  const waits = new Histogram({
    name: 'paydesk_db_pool_wait_seconds',
    help: 'How long work waited for a connection of the pool, and for its opening if none was free.',
    buckets: [0.001, 0.005, 0.025, 0.1, 0.25, 0.5, 1, 3],
    registers: [],
  });
  const connections = new Gauge({
    name: 'paydesk_db_pool_connections',
    help: 'Connections of the pool, by whether work uses them (busy) or they wait for some (idle).',
    labelNames: ['state'],
    registers: [],
    collect() {
      const { busy, idle } = useNow();
      this.set({ state: 'busy' }, busy);
      this.set({ state: 'idle' }, idle);
    },
  });
  const gauge = (name: string, help: string, figure: (use: PoolUse) => number): Gauge =>
    new Gauge({
      name,
      help,
      registers: [],
      collect() {
        this.set(figure(useNow()));
      },
    });
  const all = [
    waits,
    connections,
    gauge('paydesk_db_pool_max_connections', 'Maximum number of connections of the pool.', ({ max }) => max),
    gauge(
      'paydesk_db_pool_waiting',
      'Calls that wait for a connection of the pool now.',
      ({ waiting }) => waiting,
    ),
  ];
  return {
    watch(use) {
      useNow = use;
    },
    waited(ms) {
      waits.observe(ms / 1_000);
    },
    register(registry, db) {
      for (const metric of [...all, schemaGauge(db), commitsGauge(db)]) registry.registerMetric(metric);
    },
  };
}

function schemaGauge(db: Database): Gauge {
  const gauge = gaugesOf(cachedRead(cache_ms, () => readSchemaVersion(db)));
  return gauge(
    'paydesk_schema_version',
    'The number of the last migration of the database.',
    (version) => version,
  );
}

/** By the connections of look-ups: those of the pool may all wait for the same (D-1391). */
function commitsGauge(db: Database): Gauge {
  const gauge = gaugesOf(cachedRead(cache_ms, () => waitingCommits(db.lookups)));
  return gauge(
    'paydesk_db_commits_waiting',
    'Commits that have waited for a synchronous standby for more than three seconds.',
    (waiting) => waiting,
  );
}
