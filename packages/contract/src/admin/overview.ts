/** Work that waits, alarms, and the overview of the platform. */
import Type, { type Static } from 'typebox';
import { KeptVerification } from './ledger.ts';
import { Count, Stamp } from './scalars.ts';
import { OneOf, orNull } from '../scalars.ts';
import { figures } from '../console/home.ts';

const StampOrNull = Type.Union([Stamp, Type.Null()]);

const queueNames = [
  'overdue_orders',
  'attempts',
  'webhooks',
  'cases',
  'refunds',
  'disputes',
  'holds',
  'notifications',
] as const;

/** The same figure for each kind of decision. */
const ofEachSubject = <T extends Type.TSchema>(figure: T) =>
  Type.Object({
    cases: figure,
    complaints: figure,
    withdrawals: figure,
    /** Writes of money that wait for a second person. */
    approvals: figure,
    scope_applications: figure,
    /** Overdue orders with an unresolved payment. */
    orders_in_review: figure,
    /** Failed notifications, which can be replayed. */
    notifications_failed: figure,
    /** Failed webhooks of card providers, which can be retried. */
    webhooks_failed: figure,
  });

/** Waiting work. The count stops at 1000 per merchant, and at 10,000 for due notifications. */
export const WorkAnswer = Type.Object({
  now: Stamp,
  /** Work for background jobs. */
  queues: Type.Array(
    Type.Object({
      queue: Type.Enum([...queueNames]),
      /** The job that does the work, by its name in `POST /jobs/{name}/run`. */
      job: Type.Enum(['sweep', 'reconcile', 'release-holds', 'deliver']),
      due: Count,
      oldest_due_at: StampOrNull,
    }),
  ),
  /** Decisions for administrators. */
  undecided: ofEachSubject(Count),
  /** When the longest waiting item began to wait. */
  undecided_since: ofEachSubject(StampOrNull),
});
export type WorkAnswer = Static<typeof WorkAnswer>;

/** Kinds of alarm, the most severe first. Each leads to one screen where an administrator solves the problem. */
export const alarmKinds = [
  'books_differ',
  'provider_differs',
  'limiter_unreachable',
  'clock_off',
  'audit_sink_behind',
  'webhooks_failed',
  'provider_unclear',
  'queue_late',
  'rate_missing',
  'receivers_failing',
  'exports_failing',
  'notifications_failed',
  'orders_in_review',
  'decision_late',
] as const;

/** A problem that an administrator should look at. */
export const AlarmAnswer = Type.Object(
  {
    alarm: Type.Enum([...alarmKinds]),
    severity: Type.Enum(['alarm', 'warning']),
    about: Type.Union([
      Type.String({
        description: 'The queue, currency, channel, process or kind of decision that the alarm is about.',
      }),
      Type.Null(),
    ]),
    count: Type.Union([Count, Type.Null()]),
    since: StampOrNull,
  },
  { title: 'Alarm' },
);
export type AlarmAnswer = Static<typeof AlarmAnswer>;

/** Figures, work and alarms of the platform. */
export const OverviewAnswer = Type.Object({
  as_of: Stamp,
  time_zone: Type.String(),
  /** Time of volume, orders and series: the last minute, or the last hour if they take long to read. */
  figures_as_of: Stamp,
  ...figures,
  work: { ...WorkAnswer, title: 'Work' },
  alarms: Type.Array(AlarmAnswer, { description: 'Most severe first; empty if nothing is wrong.' }),
  /** The last verification of the books; null if there was none. */
  verification: Type.Union([KeptVerification, Type.Null()]),
});
export type OverviewAnswer = Static<typeof OverviewAnswer>;

/** What a new platform still needs before a buyer can pay, in order. */
export const FirstStepsAnswer = Type.Object({
  steps: Type.Array(
    Type.Object({
      step: Type.Enum(['currency', 'rate', 'channel', 'webhook', 'merchant', 'client', 'order', 'payment']),
      done: Type.Boolean(),
      refusal: orNull(
        OneOf(
          ['currency_unavailable', 'currency_rate_unavailable', 'channel_unavailable'],
          'The error that merchants get for new orders until the step is done; null where there is none.',
        ),
      ),
      about: Type.Array(Type.String(), {
        description: 'The currencies without a rate, or the channels that lack something.',
      }),
    }),
  ),
});
export type FirstStepsAnswer = Static<typeof FirstStepsAnswer>;
