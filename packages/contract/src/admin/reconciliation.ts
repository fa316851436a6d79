/** Comparisons of the card providers' records with the books. */
import Type, { type Static } from 'typebox';
import { Count, Digits, OrNull, Stamp } from './scalars.ts';

/** A difference: what is missing on one side, or differs. */
export const differenceKinds = [
  'payment_missing_here',
  'payment_missing_there',
  'amount_differs',
  'refund_missing_here',
  'refund_failed_there',
  'dispute_missing_here',
] as const;

export const ProviderDifference = Type.Object(
  {
    kind: Type.Enum([...differenceKinds]),
    session_id: OrNull(Type.String()),
    provider_payment_id: OrNull(Type.String()),
    /** The refund or dispute at the provider; null for a payment. */
    provider_id: OrNull(Type.String()),
    attempt_id: OrNull(Type.String()),
    order_no: OrNull(Type.String()),
    merchant_no: OrNull(Type.String()),
    amount_minor: OrNull(Digits),
    currency: OrNull(Type.String()),
    /** The difference as a sentence. */
    words: Type.String(),
  },
  { title: 'ProviderDifference' },
);

/** One comparison of one channel. A worker makes it every night; `paydesk reconcile-provider` makes it at any time. */
export const ProviderReconciliation = Type.Object({
  reconciliation_id: Type.String(),
  payment_no: Type.String(),
  run_by: Type.Enum(['worker', 'command', 'after-restore']),
  since: Stamp,
  until: Stamp,
  ran_at: Stamp,
  /** Sessions and paid sessions that the provider has, from a day before `since` on, and its events since then. */
  sessions: Count,
  payments: Count,
  events: Count,
  differences: Type.Array(ProviderDifference),
  /** Why the provider could not be read; null if it could. */
  failure: OrNull(Type.String()),
});
export type ProviderReconciliation = Static<typeof ProviderReconciliation>;
