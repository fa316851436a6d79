/** Work that waits, alarms, and the overview of the platform. */
import Type, { type Static } from 'typebox';
import { Count, Stamp } from './scalars.ts';
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

/** For each kind of decision the same figure. */
const ofEachSubject = <T extends Type.TSchema>(figure: T) =>
  Type.Object({
    cases: figure,
    complaints: figure,
    withdrawals: figure,
    scope_applications: figure,
    /** Orders past their time with an unresolved payment. */
    orders_in_review: figure,
    /** Notifications that were given up, and can be replayed. */
    notifications_failed: figure,
    /** Webhooks of card providers that were given up, and can be replayed. */
    webhooks_failed: figure,
  });

/** What waits. Of one merchant at most 1000 are counted; of notifications that are due, 10,000. */
export const WorkAnswer = Type.Object({
  now: Stamp,
  /** For background work. */
  queues: Type.Array(
    Type.Object({
      queue: Type.Enum([...queueNames]),
      /** What sees to it, as `POST /jobs/{name}/run` takes it. */
      job: Type.Enum(['sweep', 'reconcile', 'release-holds', 'deliver']),
      due: Count,
      oldest_due_at: StampOrNull,
    }),
  ),
  /** For a person. */
  undecided: ofEachSubject(Count),
  /** Since when the longest has waited. */
  undecided_since: ofEachSubject(StampOrNull),
});
export type WorkAnswer = Static<typeof WorkAnswer>;

/** Something that a person should see to. */
export const AlarmAnswer = Type.Object({
  alarm: Type.Enum([
    'books_differ',
    'limiter_unreachable',
    'webhooks_failed',
    'provider_unclear',
    'queue_late',
    'rate_missing',
    'notifications_failed',
    'orders_in_review',
    'decision_late',
  ]),
  severity: Type.Enum(['alarm', 'warning']),
  about: Type.Union([
    Type.String({ description: 'The queue, currency, channel or kind of decision.' }),
    Type.Null(),
  ]),
  count: Type.Union([Count, Type.Null()]),
  since: StampOrNull,
});
export type AlarmAnswer = Static<typeof AlarmAnswer>;

/** How the platform does. */
export const OverviewAnswer = Type.Object({
  as_of: Stamp,
  time_zone: Type.String(),
  ...figures,
  work: { ...WorkAnswer, title: 'Work' },
  alarms: Type.Array(AlarmAnswer, { description: 'The worst first; empty where nothing is wrong.' }),
  /** The last check of the books; null where none was made yet. */
  verification: Type.Union([
    Type.Object({
      verified_at: Stamp,
      verified_by: Type.String({ description: '`command`, `key`, or `user:` and an id.' }),
      ok: Type.Boolean(),
      entries: Count,
      findings: Count,
    }),
    Type.Null(),
  ]),
});
export type OverviewAnswer = Static<typeof OverviewAnswer>;
