import type { FastifyInstance } from 'fastify';
import { later, rfc3339, seconds } from '../base/clock.ts';
import { overdueBacklog } from '../collection/list-orders-anywhere.ts';
import { countPendingWithdrawals } from '../ledger/browse.ts';
import { failedTotal, totalBacklog } from '../notifications/backlog.ts';
import { countPendingApplications } from '../oauth/scope-applications.ts';
import { countUndecided, paymentBacklog } from '../payments/backlog.ts';
import type { AdminDeps } from './deps.ts';

/** Which background work sees to each queue. */
const jobOf = {
  overdue_orders: 'sweep',
  attempts: 'reconcile',
  webhooks: 'reconcile',
  cases: 'reconcile',
  refunds: 'reconcile',
  disputes: 'reconcile',
  holds: 'release-holds',
  notifications: 'deliver',
} as const;

type Queue = keyof typeof jobOf;
const queues = Object.keys(jobOf) as Queue[];

/** `GET /work`: what waits for background work, and what waits for a person. */
export function workRoutes(app: FastifyInstance, { db, clock }: Pick<AdminDeps, 'db' | 'clock'>): void {
  app.get('/work', async () => {
    const now = clock.now();
    const [
      overdue_orders,
      payments,
      delivery,
      notifications_failed,
      undecided,
      withdrawals,
      scope_applications,
    ] = await Promise.all([
      overdueBacklog(db, now),
      paymentBacklog(db, now),
      totalBacklog({ db, clock }),
      failedTotal(db),
      countUndecided(db),
      countPendingWithdrawals(db),
      countPendingApplications(db),
    ]);
    const oldest_at = delivery.due === 0 ? null : later(now, -seconds(delivery.oldest_s));
    const waiting = { ...payments, overdue_orders, notifications: { due: delivery.due, oldest_at } };
    return {
      now: rfc3339(now),
      queues: queues.map((queue) => ({
        queue,
        job: jobOf[queue],
        due: waiting[queue].due,
        oldest_due_at: instant(waiting[queue].oldest_at),
      })),
      undecided: { ...undecided, withdrawals, scope_applications, notifications_failed },
    };
  });
}

const instant = (at: Date | null): string | null => (at === null ? null : rfc3339(at));
