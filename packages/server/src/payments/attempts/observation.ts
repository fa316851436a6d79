import type { CardSession } from '../../channels/index.ts';
import type { PaymentCase } from '../cases/index.ts';

/** The provider's name of what was paid through a session. */
export const tradeNo = (session: Pick<CardSession, 'id' | 'payment_id'>): string =>
  session.payment_id ?? session.id;

/** What a look at the provider has shown. */
export type Observation =
  /** Verified: session, reference, amount, currency, mode and payment agree. */
  | { kind: 'paid'; session: CardSession; trade_no: string; occurred_at: Date }
  /** Complete, but the money is still under way (D-101). */
  | { kind: 'processing'; session: CardSession }
  | { kind: 'open'; session: CardSession }
  /** Closed without payment, or an asynchronous payment that failed for good (D-102). */
  | { kind: 'closed' | 'failed'; session: CardSession }
  /** Paid or not, it is not what was asked for; `paid_at` where it is paid. */
  | { kind: 'mismatch'; session: CardSession; why: string; paid_at: Date | null }
  /** What a case holds already, or a person has decided on. */
  | { kind: 'settled_by_case'; session: CardSession; why: string }
  /** A definite refusal to create the session. */
  | { kind: 'refused'; why: string }
  /** No clear answer to a creation. */
  | { kind: 'unclear'; why: string }
  /** The records hold no session of this attempt. */
  | { kind: 'none' }
  /** A look-up that failed. */
  | { kind: 'failed_lookup'; why: string }
  /** A person has decided: the receipt that a case holds pays the order after all. */
  | { kind: 'accepted'; receipt: PaymentCase; trade_no: string; occurred_at: Date; why: string }
  /** A person has decided, and the provider has confirmed, that nothing comes of it: the session is closed. */
  | { kind: 'voided' | 'returned'; why: string }
  /** A person has decided that the provider knows of no session (D-093). */
  | { kind: 'given_up'; why: string };

/** What was seen, and by which question. */
export type Seen = Observation & { asked?: string };

export function describeObservation(seen: Observation): string {
  return 'why' in seen ? `${seen.kind}: ${seen.why}` : seen.kind;
}
