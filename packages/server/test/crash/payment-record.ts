/** What a buyer knows of the payment of an order, of whichever kind: what was tried and what the answers said. */
export interface PaymentRecord {
  /** Empty until the creation is acknowledged. */
  order_no: string;
  /** How often a start from a wallet was answered with success: it means paid. */
  acknowledged: number;
  /** A start met a payment whose own answer was lost, and a read has shown it. */
  found_paid: boolean;
  /** Payment starts that nobody answered. */
  lost_starts: number;
  /** Where the buyer pays by card, once that was told. */
  redirect_url: string;
  paid_at_provider: boolean;
}

/** Of an order that nobody has created yet. */
export const nothingPaid = (): PaymentRecord => ({
  order_no: '',
  acknowledged: 0,
  found_paid: false,
  lost_starts: 0,
  redirect_url: '',
  paid_at_provider: false,
});

/** Whether a client has been told, in one way or another, that the order is paid from a wallet. */
export const isKnownPaid = ({
  acknowledged,
  found_paid,
}: Pick<PaymentRecord, 'acknowledged' | 'found_paid'>): boolean => acknowledged > 0 || found_paid;
