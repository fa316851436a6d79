/** Counts what waits on the platform: work for background jobs, and decisions for people. */
import { countPendingApprovals } from '../approvals/index.ts';
import { type Clock, later, rfc3339, rfc3339OrNull, seconds } from '../../base/time/clock.ts';
import type { Database } from '../../base/pg/index.ts';
import { selectOverdueBacklog, selectReviewBacklog } from '../../collection/reading/index.ts';
import { countPendingWithdrawals } from '../../ledger/wallets/index.ts';
import { totalGivenUp, totalBacklog } from '../../notifications/backlog/index.ts';
import { countPendingApplications } from '../../oauth/scope-applications/index.ts';
import { countUndecided, readPaymentBacklog } from '../../payments/backlog/index.ts';
import { countGivenUpWebhooks } from '../../payments/webhooks/index.ts';

/** The number of waiting items, and when the oldest began to wait. */
export interface Waiting {
  due: number;
  oldest_at: Date | null;
}

/** The background job that processes each queue. */
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

export type Queue = keyof typeof jobOf;
export const queues = Object.keys(jobOf) as Queue[];

/** Kinds of decisions that wait for a person. */
export const decisionKinds = [
  'cases',
  'complaints',
  'withdrawals',
  'approvals',
  'scope_applications',
  'orders_in_review',
  'notifications_failed',
  'webhooks_failed',
] as const;
export type DecisionKind = (typeof decisionKinds)[number];

/** All waiting work. */
export interface Work {
  now: Date;
  queues: Record<Queue, Waiting>;
  undecided: Record<DecisionKind, Waiting>;
}

export async function readWork({ db, clock }: { db: Database; clock: Clock }): Promise<Work> {
  const now = clock.now();
  const [overdue_orders, payments, delivery, undecided, ...rest] = await Promise.all([
    selectOverdueBacklog(db, now),
    readPaymentBacklog(db, now),
    totalBacklog({ db, clock }),
    countUndecided(db),
    countPendingWithdrawals(db),
    countPendingApprovals(db),
    countPendingApplications(db),
    selectReviewBacklog(db, now),
    totalGivenUp(db, now),
    countGivenUpWebhooks(db),
  ]);
  const [
    withdrawals,
    approvals,
    scope_applications,
    orders_in_review,
    notifications_failed,
    webhooks_failed,
  ] = rest;
  const oldest_at = delivery.due === 0 ? null : later(now, -seconds(delivery.oldest_s));
  return {
    now,
    queues: { ...payments, overdue_orders, notifications: { due: delivery.due, oldest_at } },
    undecided: {
      ...undecided,
      ...{
        withdrawals,
        approvals,
        scope_applications,
        orders_in_review,
        notifications_failed,
        webhooks_failed,
      },
    },
  };
}

export const workJson = ({ now, queues: waiting, undecided }: Work) => ({
  now: rfc3339(now),
  queues: queues.map((queue) => ({
    queue,
    job: jobOf[queue],
    due: waiting[queue].due,
    oldest_due_at: rfc3339OrNull(waiting[queue].oldest_at),
  })),
  undecided: ofEach(({ due }) => due, undecided),
  undecided_since: ofEach(({ oldest_at }) => rfc3339OrNull(oldest_at), undecided),
});

function ofEach<T>(figure: (waiting: Waiting) => T, undecided: Work['undecided']): Record<DecisionKind, T> {
  return Object.fromEntries(decisionKinds.map((subject) => [subject, figure(undecided[subject])])) as Record<
    DecisionKind,
    T
  >;
}
