/** What the platform's console lists and looks at, beside the bodies in admin.ts. */
import Type, { type Static } from 'typebox';
import { CaseAnswer, caseActions, ComplaintAnswer, RefundAnswer } from './admin.ts';
import { CollectionOrder } from './collection-order.ts';
import { figures } from './console/home.ts';

const Stamp = Type.String({ description: 'RFC 3339 in UTC' });
const Digits = Type.String({ pattern: '^-?[0-9]+$' });

const { checkout_url: _, ...orderMembers } = CollectionOrder.properties;

/** An order as its merchant reads it, without the address of its checkout. */
export const AdminOrder = Type.Object({
  merchant_no: Type.String(),
  merchant_name: Type.String(),
  ...orderMembers,
  description: Type.String({ description: 'What the merchant says it is for.' }),
  created_at: Stamp,
});
export type AdminOrder = Static<typeof AdminOrder>;

/** A case with what it can be resolved by. */
export const CaseDetailAnswer = Type.Object({
  ...CaseAnswer.properties,
  /** What a decision may be now; empty where there is nothing to decide (yet, or any more). */
  allowed_actions: Type.Array(Type.Enum([...caseActions])),
});

/** Which merchant a refund or complaint is about. */
const ofMerchant = { merchant_no: Type.String() };
export const ListedRefund = Type.Object({ ...ofMerchant, ...RefundAnswer.properties });
export const ListedComplaint = Type.Object({ ...ofMerchant, ...ComplaintAnswer.properties });

/** An account of one book with what it holds, on the side on which it grows. */
export const LedgerAccount = Type.Object({
  account: Type.String(),
  about: Type.String(),
  currency: Type.String(),
  /** Whether its balance is stored and never below zero; others are summed from their transfers. */
  guarded: Type.Boolean(),
  balance: Type.String({ description: 'A decimal text; negative where less has come in than gone out.' }),
  balance_minor: Digits,
});
export type LedgerAccount = Static<typeof LedgerAccount>;

/** A transfer of one book. */
export const LedgerEntry = Type.Object({
  at: Stamp,
  subject: Type.String({ description: 'An order, a withdrawal, or `kind:reference` of an operation.' }),
  posting: Type.String(),
  case_key: Type.String(),
  leg: Type.Integer(),
  debit: Type.String(),
  credit: Type.String(),
  currency: Type.String(),
  amount: Type.String(),
  amount_minor: Digits,
  test_mode: Type.Boolean(),
  why: Type.String(),
  what: Type.String(),
  from: Type.String(),
  to: Type.String(),
});
export type LedgerEntry = Static<typeof LedgerEntry>;

const Count = Type.Integer({ minimum: 0 });
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

/** A notification that was given up, whoever's it is. */
export const FailedNotification = Type.Object({
  merchant_no: Type.String(),
  merchant_name: Type.String(),
  event_id: Type.String(),
  order_no: Type.String(),
  status_version: Type.Integer(),
  destination: Type.String({ description: 'Host and port of the receiver.' }),
  attempts: Count,
  last_http_status: Type.Union([Type.Integer(), Type.Null()]),
  last_error: Type.Union([Type.String(), Type.Null()]),
  created_at: Stamp,
});
export type FailedNotification = Static<typeof FailedNotification>;

/** A webhook of a card provider that could not be followed for a day. */
export const FailedWebhook = Type.Object({
  payment_no: Type.String({ description: 'The channel that it came for.' }),
  provider_event_id: Type.String(),
  type: Type.String({ description: 'As the provider calls it.' }),
  received_at: Stamp,
  tries: Count,
  outcome: Type.Union([Type.String({ description: 'What the last try came to.' }), Type.Null()]),
  given_up_at: Stamp,
});
export type FailedWebhook = Static<typeof FailedWebhook>;
