/** The answers of the provider about the money of a case, as the decisions use them. */
import type { Resolution, Taker } from '../cases/index.ts';

/** What the provider says about the money of a case. */
export type CaseAnswer =
  | {
      kind: 'returned';
      resolution: Resolution;
      why: string;
      provider_refund_id?: string;
      /** The dispute that has taken all that the case still held. */
      charged_back?: ChargedBack;
    }
  | { kind: 'pending'; provider_refund_id: string }
  /** The refund failed; this request will not return the money. */
  | { kind: 'failed'; why: string; lost?: LostAmount }
  | { kind: 'unclear'; why: string }
  /** News for the operator only, if no part was taken. `in_other_currency`: a lost dispute, of unknown worth (D-874). */
  | { kind: 'noted'; why: string; lost?: LostAmount; in_other_currency?: string };

/** What a lost dispute (D-725), or a refund in the dashboard (D-845), has taken of the money that a case holds. */
export type LostAmount = Taker & {
  amount: bigint;
  /** It is a part of the rest beside what the receipt paid an order with (D-801). */
  of_rest?: boolean;
};

export interface ChargedBack {
  dispute_id: string;
  amount: bigint;
  is_beyond?: true;
}
