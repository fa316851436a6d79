/** Disputes as the card provider has them, for the people who answer them. What they mean for an order is in `settle-dispute.ts`, for a case in case-money/. */
import type { CardDispute, DisputeNews } from '../../channels/card/index.ts';

/**
 * The stages in which administrators see disputes (D-342). `to_answer`: the bank waits for evidence. `under_review`: the bank
 * decides.
 */
export const disputeStages = ['to_answer', 'under_review', 'ended'] as const;
export type DisputeStage = (typeof disputeStages)[number];

export interface Dispute {
  merchant_id: string;
  dispute_id: string;
  payment_no: string;
  /** The order that the payment is about, if there is one. */
  order_no: string | null;
  /** The case that holds the payment; null where it paid the order. */
  case_id: string | null;
  test_mode: boolean;
  /** The provider's word, such as `needs_response`. */
  state: string;
  stage: DisputeStage;
  /** The provider's word, such as `fraudulent`. */
  reason: string;
  /** Minor units. */
  amount: bigint;
  currency: string;
  /** Null where the platform does not keep the currency. */
  currency_decimals: number | null;
  /** When the bank stops waiting for evidence; null where it takes none. */
  due_by: Date | null;
  /** How often evidence was submitted at the provider, by anyone. */
  submissions: number;
  opened_at: Date;
  /** When the provider was asked last. */
  seen_at: Date;
}

export const stageOf = ({ status, news }: CardDispute & { news: DisputeNews }): DisputeStage =>
  status !== 'open' ? 'ended' : news.state.endsWith('needs_response') ? 'to_answer' : 'under_review';

/** Whether the dispute takes evidence through Paydesk. An appeal is answered in the provider's own dashboard. */
export const takesEvidence = ({ state }: Pick<Dispute, 'state'>): boolean =>
  state === 'needs_response' || state === 'warning_needs_response';
