/** The figures of the seals for Prometheus. */
import { Gauge, type Registry } from 'prom-client';
import { cachedRead, gaugesOf } from '../base/caches/cached-gauges.ts';
import type { Database } from '../base/pg/index.ts';
import { platformBook } from '../base/ids.ts';
import type { Clock } from '../base/time/clock.ts';
import { selectLastSeal, selectMark, selectSent } from './seal.sql.ts';
import type { SealSink } from './seal-sink.ts';

/** How long figures from the database are reused. */
const cache_ms = 5_000;

interface Figures {
  head: { seal_no: bigint; hash: string } | null;
  passed_s: number | null;
  waiting: number | null;
}

/**
 * The last seal of the platform, how long ago a worker looked for facts, and how many heads the sink lacks. The age of the pass
 * grows also while a transaction holds facts back (D-1016).
 */
export function sealMetrics(deps: { db: Database; clock: Clock; sink: SealSink | null }): {
  register(registry: Registry): void;
} {
  const ask = cachedRead(cache_ms, () => readFigures(deps));
  const gauge = gaugesOf(ask);
  const head = new Gauge({
    name: 'paydesk_seal_head_info',
    help: 'The last seal of the platform: its number and its hash; always 1.',
    labelNames: ['seal_no', 'hash'],
    registers: [],
    async collect() {
      const now = await ask();
      this.reset();
      if (now?.head) this.set({ seal_no: now.head.seal_no.toString(), hash: now.head.hash }, 1);
    },
  });
  const all = [
    head,
    gauge('paydesk_seal_last_number', 'The number of the last seal of the platform.', (now) =>
      now.head === null ? null : Number(now.head.seal_no),
    ),
    gauge(
      'paydesk_seal_pass_age_seconds',
      'How long ago a worker last looked for facts to seal, in seconds; it grows while a transaction that does not end holds facts back.',
      (now) => now.passed_s,
    ),
    gauge(
      'paydesk_seal_sink_waiting',
      'Seals of the platform that the sink does not have yet.',
      (now) => now.waiting,
    ),
  ];
  return {
    register(registry) {
      for (const metric of all) registry.registerMetric(metric);
    },
  };
}

async function readFigures({
  db,
  clock,
  sink,
}: {
  db: Database;
  clock: Clock;
  sink: SealSink | null;
}): Promise<Figures> {
  const [head, mark, sent] = await Promise.all([
    selectLastSeal(db, platformBook),
    selectMark(db),
    sink === null ? null : selectSent(db, sink.name),
  ]);
  const passed_at = mark?.passed_at ?? null;
  return {
    head,
    passed_s: passed_at === null ? null : (clock.now().getTime() - passed_at.getTime()) / 1_000,
    waiting: sent === null ? null : Number((head?.seal_no ?? 0n) - sent),
  };
}
