/** What a buyer knows of the payment of an order of either kind: the tries and the answers. */
export interface PaymentRecord {
  /** Empty until the creation is acknowledged. */
  order_no: string;
  /** How often a start from a wallet was answered with success: it means paid. */
  acknowledged: number;
  /** A start met a payment whose own answer was lost, and a read has shown it. */
  found_paid: boolean;
  /** Payment starts without an answer. */
  lost_starts: number;
  /** The address of the card payment, once it is known. */
  redirect_url: string;
  paid_at_provider: boolean;
}

/** The record of an order that does not exist yet. */
export const nothingPaid = (): PaymentRecord => ({
  order_no: '',
  acknowledged: 0,
  found_paid: false,
  lost_starts: 0,
  redirect_url: '',
  paid_at_provider: false,
});

/** Whether any answer has confirmed the payment from a wallet. */
export const isKnownPaid = ({
  acknowledged,
  found_paid,
}: Pick<PaymentRecord, 'acknowledged' | 'found_paid'>): boolean => acknowledged > 0 || found_paid;
