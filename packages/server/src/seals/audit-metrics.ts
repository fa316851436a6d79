/** How far the stream of the audit trail is behind: for Prometheus, and for the alarms of the overview. */
import type { Registry } from 'prom-client';
import { cachedRead, gaugesOf } from '../base/caches/cached-gauges.ts';
import type { Database } from '../base/pg/index.ts';
import type { Clock } from '../base/time/clock.ts';
import type { AuditSink } from './audit-sink.ts';
import { type AuditBacklog, selectAuditBacklog } from './sink-lease.sql.ts';

export type { AuditBacklog } from './sink-lease.sql.ts';

interface Deps {
  db: Database;
  /** Null where the audit trail is not streamed. */
  sink: Pick<AuditSink, 'name'> | null;
}

/** What the sink lacks; nothing where none is configured. */
export const auditBacklog = ({ db, sink }: Deps): Promise<AuditBacklog> =>
  sink === null ? Promise.resolve({ waiting: 0n, oldest_at: null }) : selectAuditBacklog(db, sink.name);

/** How long figures from the database are reused. */
const cache_ms = 5_000;

/** `paydesk_audit_sink_waiting` and `paydesk_audit_sink_age_seconds`; both are missing without a sink. */
export function auditMetrics(deps: Deps & { clock: Clock }): { register(registry: Registry): void } {
  const { clock, sink } = deps;
  const gauge = gaugesOf(cachedRead(cache_ms, () => auditBacklog(deps)));
  const all = [
    gauge('paydesk_audit_sink_waiting', 'Entries of the audit log that its sink does not have yet.', (now) =>
      Number(now.waiting),
    ),
    gauge(
      'paydesk_audit_sink_age_seconds',
      'How old the oldest entry is that the sink of the audit trail does not have yet; 0 if it has all.',
      ({ oldest_at }) => (oldest_at === null ? 0 : (clock.now().getTime() - oldest_at.getTime()) / 1_000),
    ),
  ];
  return {
    register(registry) {
      if (sink !== null) for (const metric of all) registry.registerMetric(metric);
    },
  };
}
