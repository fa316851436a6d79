/** The figures of the checks of the books for Prometheus. */
import type { Registry } from 'prom-client';
import { cachedRead, gaugesOf } from '../base/caches/cached-gauges.ts';
import type { Database } from '../base/pg/index.ts';
import type { Clock } from '../base/time/clock.ts';
import { countStandingFindings, selectVerificationMark } from '../ledger/verification/index.ts';

/** How long figures from the database are reused. */
const cache_ms = 5_000;

interface Figures {
  findings: number;
  checked_s: number | null;
  full_s: number | null;
}

/** Whether the books differ, in how many findings, and how old the last checks are. */
export function booksMetrics(deps: { db: Database; clock: Clock }): { register(registry: Registry): void } {
  const gauge = gaugesOf(cachedRead(cache_ms, () => readFigures(deps)));
  const all = [
    gauge(
      'paydesk_books_differ',
      'The alarm books_differ: 1 while a finding about the books stands, else 0.',
      ({ findings }) => (findings > 0 ? 1 : 0),
    ),
    gauge('paydesk_books_findings', 'Findings about the books that stand.', ({ findings }) => findings),
    gauge(
      'paydesk_books_check_age_seconds',
      'How long ago the last check of the books began, in seconds.',
      ({ checked_s }) => checked_s,
    ),
    gauge(
      'paydesk_books_full_check_age_seconds',
      'How long ago the last full check of the books began, in seconds.',
      ({ full_s }) => full_s,
    ),
  ];
  return {
    register(registry) {
      for (const metric of all) registry.registerMetric(metric);
    },
  };
}

async function readFigures({ db, clock }: { db: Database; clock: Clock }): Promise<Figures> {
  const [{ findings }, { checked_at, full_at }] = await Promise.all([
    countStandingFindings(db),
    selectVerificationMark(db),
  ]);
  const age = (at: Date | null): number | null =>
    at === null ? null : (clock.now().getTime() - at.getTime()) / 1_000;
  return { findings, checked_s: age(checked_at), full_s: age(full_at) };
}
