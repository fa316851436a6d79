/** The figures of notification delivery for Prometheus. */
import { deliveryErrors } from '@paydesk/contract';
import { Counter, Histogram, type Registry } from 'prom-client';
import { cachedRead, gaugesOf } from '../../base/caches/cached-gauges.ts';
import type { Clock } from '../../base/time/clock.ts';
import type { Database } from '../../base/pg/index.ts';
import type { DeliveryObserver } from '../delivery/index.ts';
import { totalBacklog } from './backlog.ts';

/** The figures that operators watch. */
export interface DeliveryMetrics extends DeliveryObserver {
  /** Adds the figures to what `/metrics` shows. */
  register(registry: Registry): void;
}

/** How long a figure from the database is reused. */
const cache_ms = 10_000;

/**
 * The attempts of this process by outcome, of which `unsent` is one (D-763), and the backlog of all processes together. A backlog that grows older means
 * that there are too few workers, or none.
 */
export function deliveryMetrics(deps: { db: Database; clock: Clock }): DeliveryMetrics {
  const attempts = new Counter({
    name: 'paydesk_notification_attempts_total',
    help: 'Attempts to deliver notifications that ended in this process, by outcome; unsent: nothing was sent, for a reason of this service.',
    labelNames: ['outcome'],
    registers: [],
  });
  // D-1371
  for (const outcome of ['delivered', 'unsent', ...deliveryErrors]) attempts.inc({ outcome }, 0);
  const durations = new Histogram({
    name: 'paydesk_notification_attempt_duration_seconds',
    help: 'How long attempts took, until the response headers or the failure.',
    buckets: [0.01, 0.05, 0.1, 0.25, 0.5, 1, 2, 4, 8],
    registers: [],
  });
  const gauge = gaugesOf(cachedRead(cache_ms, () => totalBacklog(deps)));
  const figures = [
    gauge('paydesk_notifications_due', 'Notifications whose next attempt is due.', ({ due }) => due),
    gauge(
      'paydesk_notifications_due_merchants',
      'Merchants with due notifications.',
      ({ merchants }) => merchants,
    ),
    gauge(
      'paydesk_notifications_oldest_due_seconds',
      'How long the oldest due notification has been due, in seconds.',
      ({ oldest_s }) => oldest_s,
    ),
  ];

  return {
    recordAttempt(error, elapsed_ms) {
      attempts.inc({ outcome: error ?? 'delivered' });
      durations.observe(elapsed_ms / 1_000);
    },
    recordUnsent() {
      attempts.inc({ outcome: 'unsent' });
    },
    register(registry) {
      for (const metric of [attempts, durations, ...figures]) registry.registerMetric(metric);
    },
  };
}
