/** A complaint: doubt about a paid order. While it is open, the order's held proceeds are frozen. */
/** `closed`: the order ended by a refund or by another complaint. */
export type ComplaintStatus = 'open' | 'dismissed' | 'confirmed' | 'closed';

export interface Complaint {
  merchant_id: string;
  complaint_id: string;
  order_no: string;
  source: 'platform' | 'provider';
  /** The provider's dispute that decides the complaint; null if a person decides, or if it was opened again (D-901). */
  dispute_id: string | null;
  reason: string;
  status: ComplaintStatus;
  currency: string;
  currency_decimals: number;
  /** The final loss in minor units of `currency`; null unless confirmed. */
  loss_amount: bigint | null;
  external_cost: bigint | null;
  opened_at: Date;
  decided_at: Date | null;
  check_at: Date | null;
}

/** The confirmed losses, in minor units of the payment currency. */
export const sumOfLosses = (complaints: readonly Complaint[]): bigint =>
  complaints.reduce((sum, { loss_amount }) => sum + (loss_amount ?? 0n), 0n);
