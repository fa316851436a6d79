/** What a look-up at the provider, or a decision of a person, says about an attempt. */
import type { ComparedMember, DeclineReason } from '@paydesk/contract';
import type { CardSession, PaidWith } from '../../channels/card/index.ts';
import type { PaymentCase } from '../cases/index.ts';

export type Observation =
  /** Paid as requested: session, reference, amount, currency, mode and payment agree. */
  | { kind: 'paid'; session: CardSession; trade_no: string; occurred_at: Date; paid_with?: PaidWith | null }
  /** Complete, but the money has not arrived yet (D-101). */
  | { kind: 'processing'; session: CardSession; paid_with?: PaidWith | null }
  | { kind: 'open'; session: CardSession }
  /** Closed without payment, or an asynchronous payment has finally failed (D-102). */
  | { kind: 'closed' | 'failed'; session: CardSession; declined?: DeclineReason | null }
  /** Closed without payment, because the buyer wants to choose another method (D-258). */
  | { kind: 'withdrawn'; session: CardSession; declined?: DeclineReason | null }
  /** The session is not what was requested. `paid_at` is set if it is paid. */
  | { kind: 'mismatch'; session: CardSession; why: ComparedMember; paid_at: Date | null }
  /** A case already holds this payment, or a person has decided about it. */
  | { kind: 'settled_by_case'; session: CardSession; why: string }
  /**
   * The provider refused to create the session. `absent_since`: the claim of a retry whose look-up found no session,
   * where no earlier request had reached the provider (D-196).
   */
  | { kind: 'refused'; why: string; absent_since?: Date }
  /** The provider gave no clear answer to a creation. `unreached`: the request had no byte of an answer. */
  | { kind: 'unclear'; why: string; unreached?: boolean }
  /** The provider's records hold no session of this attempt. `looked_at`: when they were asked; default: now. */
  | { kind: 'none'; looked_at?: Date }
  /** The look-up failed. */
  | { kind: 'failed_lookup'; why: string }
  /** A person decided: the receipt of a case pays the order. */
  | { kind: 'accepted'; receipt: PaymentCase; trade_no: string; occurred_at: Date; why: string }
  /** A person decided that the attempt ends without payment, and the provider confirmed it. */
  | { kind: 'voided' | 'returned'; why: string }
  /** A person decided that the provider has no session (D-093). */
  | { kind: 'given_up'; why: string };

/** An observation, with the question that led to it. */
export type Seen = Observation & { asked?: string };

export function describeObservation(seen: Observation): string {
  return 'why' in seen ? `${seen.kind}: ${seen.why}` : seen.kind;
}
