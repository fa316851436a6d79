/** `closed`: the payment went back otherwise while the complaint was open. */
export type ComplaintStatus = 'open' | 'dismissed' | 'confirmed' | 'closed';

/** Doubt about a paid order: while it is open, what is left of the order's proceeds is frozen. */
export interface Complaint {
  merchant_id: string;
  complaint_id: string;
  order_no: string;
  source: 'platform' | 'provider';
  /** The provider's dispute that decides it; null where people do. */
  dispute_id: string | null;
  reason: string;
  status: ComplaintStatus;
  currency: string;
  currency_decimals: number;
  /** What it cost in the end, in minor units of `currency`; null unless confirmed. */
  loss_amount: bigint | null;
  external_cost: bigint | null;
  opened_at: Date;
  decided_at: Date | null;
  check_at: Date | null;
}

/** What complaints have cost already, in minor units of the payment currency. */
export const sumOfLosses = (complaints: readonly Complaint[]): bigint =>
  complaints.reduce((sum, { loss_amount }) => sum + (loss_amount ?? 0n), 0n);
