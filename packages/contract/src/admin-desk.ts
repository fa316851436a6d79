/** What the platform's console lists and looks at, beside the bodies in admin.ts. */
import Type, { type Static } from 'typebox';
import { CaseAnswer, caseActions, ComplaintAnswer, RefundAnswer } from './admin.ts';
import { CollectionOrder } from './collection-order.ts';

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

/** What waits. Of one merchant at most 1000 are counted; of notifications that are due, 10,000. */
export const WorkAnswer = Type.Object({
  now: Stamp,
  /** For background work. */
  queues: Type.Array(
    Type.Object({
      queue: Type.Enum([
        'overdue_orders',
        'attempts',
        'webhooks',
        'cases',
        'refunds',
        'disputes',
        'holds',
        'notifications',
      ]),
      /** What sees to it, as `POST /jobs/{name}/run` takes it. */
      job: Type.Enum(['sweep', 'reconcile', 'release-holds', 'deliver']),
      due: Count,
      oldest_due_at: Type.Union([Stamp, Type.Null()]),
    }),
  ),
  /** For a person. */
  undecided: Type.Object({
    cases: Count,
    complaints: Count,
    withdrawals: Count,
    scope_applications: Count,
    /** Notifications that were given up, and can be replayed. */
    notifications_failed: Count,
  }),
});
export type WorkAnswer = Static<typeof WorkAnswer>;
