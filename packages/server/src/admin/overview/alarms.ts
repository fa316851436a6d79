/** The alarms of the overview, computed from the state of the platform. Pure: nothing is stored. */
import { alarmKinds } from '@paydesk/contract';
import { hours, later, minutes } from '../../base/time/clock.ts';
import type { OffClock } from '../../base/clocks/clock-alarm.ts';
import { ptk } from '../../base/money.ts';
import { type Currency, priceAt, type Rate } from '../../currencies/index.ts';
import type { Reconciliation } from '../../payments/reconciliation/index.ts';
import type { Unclear } from '../../payments/backlog/index.ts';
import { queues, type DecisionKind, type Work } from './work.ts';

/** A problem that needs a person. */
export interface Alarm {
  alarm: (typeof alarmKinds)[number];
  severity: 'alarm' | 'warning';
  /** The queue, currency, channel, process or kind of decision; null if the kind of alarm says enough. */
  about: string | null;
  /** The number of affected items; null if the alarm counts nothing. */
  count: number | null;
  /** When the problem began; null if unknown. */
  since: Date | null;
}

/** The state from which alarms are computed. */
export interface AlarmInputs {
  work: Work;
  /** The findings about the books that stand, and when a check found the first of them. */
  books: { findings: number; since: Date | null };
  /** The comparison of each card channel with its provider that tells how it stands. */
  providers: readonly Pick<Reconciliation, 'payment_no' | 'ran_at' | 'differences' | 'failure'>[];
  limiter_ready: boolean;
  /** Processes whose local clock is off. */
  off_clocks: readonly OffClock[];
  /** Receivers of merchants' notifications that fail, and since when the first of them. */
  receivers: { due: number; oldest_at: Date | null };
  /** Merchants' scheduled exports that fail, likewise. */
  exports: { due: number; oldest_at: Date | null };
  /** Entries of the audit log that their sink lacks. */
  audit: { waiting: bigint; oldest_at: Date | null };
  currencies: readonly Currency[];
  rates: readonly Rate[];
  /** Channels whose providers give no clear answer about payments. */
  unclear: readonly Unclear[];
}

/** A worker normally processes everything within a minute; a short outage must not raise an alarm. */
const lateQueue_ms = minutes(5);
/** A person has a day for a decision. */
const lateDecision_ms = hours(24);

const decisions = [
  'cases',
  'complaints',
  'withdrawals',
  'approvals',
  'scope_applications',
] as const satisfies DecisionKind[];

/** The current alarms, the most severe first. */
export function alarmsOf(inputs: AlarmInputs): Alarm[] {
  const found = [
    ...ofBooks(inputs),
    ...ofReconciliations(inputs),
    ...(inputs.limiter_ready ? [] : [alarm('limiter_unreachable', {})]),
    ...inputs.off_clocks.map(({ process, since }) => alarm('clock_off', { about: process, since })),
    ...ofAudit(inputs),
    ...ofReceivers(inputs),
    ...ofWork(inputs.work),
    ...ofProviders(inputs),
    ...ofRates(inputs),
  ];
  return found.sort(
    (a, b) =>
      a.severity.localeCompare(b.severity) || alarmKinds.indexOf(a.alarm) - alarmKinds.indexOf(b.alarm),
  );
}

const alarm = (kind: Alarm['alarm'], rest: Partial<Alarm>): Alarm => ({
  alarm: kind,
  severity: 'alarm',
  about: null,
  count: null,
  since: null,
  ...rest,
});

const ofBooks = ({ books: { findings, since } }: AlarmInputs): Alarm[] =>
  findings === 0 ? [] : [alarm('books_differ', { count: findings, since })];

/** A provider whose records differ from the books, or could not be compared with them. */
const ofReconciliations = ({ providers }: AlarmInputs): Alarm[] =>
  providers
    .filter(({ differences, failure }) => differences.length > 0 || failure !== null)
    .map(({ payment_no, ran_at, differences }) =>
      alarm('provider_differs', {
        severity: differences.length > 0 ? 'alarm' : 'warning',
        about: payment_no,
        count: differences.length > 0 ? differences.length : null,
        since: ran_at,
      }),
    );

function ofAudit({ work: { now }, audit: { waiting, oldest_at } }: AlarmInputs): Alarm[] {
  if (oldest_at === null || oldest_at > later(now, -lateQueue_ms)) return [];
  return [alarm('audit_sink_behind', { count: Number(waiting), since: oldest_at })];
}

/** Only warnings: the failing receivers are the merchants' servers. */
const ofReceivers = ({ receivers, exports }: AlarmInputs): Alarm[] =>
  (
    [
      ['receivers_failing', receivers],
      ['exports_failing', exports],
    ] as const
  ).flatMap(([kind, { due, oldest_at }]) =>
    due === 0 ? [] : [alarm(kind, { severity: 'warning', count: due, since: oldest_at })],
  );

function ofWork({ now, queues: waiting, undecided }: Work): Alarm[] {
  const isOlder = (at: Date | null, ms: number): boolean => at !== null && at <= later(now, -ms);
  const { webhooks_failed, notifications_failed, orders_in_review } = undecided;
  const dead = { count: webhooks_failed.due, since: webhooks_failed.oldest_at };
  const failed = { count: notifications_failed.due, since: notifications_failed.oldest_at };
  const review = { count: orders_in_review.due, since: orders_in_review.oldest_at };
  return [
    ...queues
      .filter((queue) => isOlder(waiting[queue].oldest_at, lateQueue_ms))
      .map((queue) =>
        alarm('queue_late', { about: queue, count: waiting[queue].due, since: waiting[queue].oldest_at }),
      ),
    ...(dead.count > 0 ? [alarm('webhooks_failed', dead)] : []),
    // Only a warning: the failing receivers are the merchants' servers.
    ...(failed.count > 0 ? [alarm('notifications_failed', { ...failed, severity: 'warning' })] : []),
    ...(review.count > 0
      ? [
          alarm('orders_in_review', {
            ...review,
            severity: isOlder(review.since, lateDecision_ms) ? 'alarm' : 'warning',
          }),
        ]
      : []),
    ...decisions
      .filter((subject) => isOlder(undecided[subject].oldest_at, lateDecision_ms))
      .map((subject) =>
        alarm('decision_late', {
          severity: 'warning',
          about: subject,
          count: undecided[subject].due,
          since: undecided[subject].oldest_at,
        }),
      ),
  ];
}

const ofProviders = ({ unclear }: AlarmInputs): Alarm[] =>
  unclear.map(({ payment_no, attempts, since }) =>
    alarm('provider_unclear', { about: payment_no, count: attempts, since }),
  );

/** A currency without a rate: its orders are refused (D-068). */
function ofRates({ work: { now }, currencies, rates }: AlarmInputs): Alarm[] {
  return currencies
    .filter(({ code, enabled }) => enabled && code !== ptk)
    .flatMap(({ code }) => {
      const rate = rates.find(({ currency }) => currency === code) ?? null;
      if (priceAt(code, rate, now) !== null) return [];
      return [alarm('rate_missing', { about: code, since: rate?.valid_until ?? null })];
    });
}
