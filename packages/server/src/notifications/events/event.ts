/** Writes the body of a status notification. */
import { rfc3339 } from '../../base/time/clock.ts';
import type { IdSource } from '../../base/ids.ts';
import { writeJson } from '../../base/input/json.ts';

/** A confirmed payment. Events of a paid order carry it. */
export interface ReportedPayment {
  /** The payment event that merchants post by; not the notification's own id. */
  event_id: string;
  provider_trade_no: string;
  /** RFC 3339, as the channel wrote it (R-266, D-052). */
  occurred_at: string;
}

/** A collection order at one of its status changes. */
export interface ReportedOrder {
  order_no: string;
  external_reference: string;
  payment_no: string;
  /** The invoice amount as a decimal string at the order's precision. */
  amount: string;
  amount_minor: bigint;
  currency: string;
  currency_decimals: number;
  status: string;
  status_version: number;
  test_mode: boolean;
  expires_at: Date;
  /** Null unless the payment is confirmed: paid, refunded, chargeback (D-005, D-150). */
  confirmation: ReportedPayment | null;
}

export interface StatusEvent {
  /** The notification's id, `ne_` and a ULID: also the header, and not the payment's `event_id`. */
  id: string;
  /** When the notification was made. */
  created_at: Date;
  data: ReportedOrder;
}

/** A new notification id (D-054). */
export const newNotificationId = (ids: IdSource, at: Date): string => `ne_${ids.ulid(at)}`;

export const isNotificationId = (text: string): boolean => /^ne_[0-9A-Z]{26}$/.test(text);

/**
 * Writes a status change as text. The text is stored once, and then signed and sent without a change.
 * The members are listed one by one, so that no other member of the caller's order gets in. Only
 * this envelope has a member `data`.
 */
export function statusEvent({ id, created_at, data }: StatusEvent): string {
  const { confirmation } = data;
  return writeJson({
    id,
    type: 'merchant_payment.status_changed',
    api_version: 1,
    created_at: rfc3339(created_at),
    data: {
      order_no: data.order_no,
      external_reference: data.external_reference,
      payment_no: data.payment_no,
      amount: data.amount,
      amount_minor: data.amount_minor,
      currency: data.currency,
      currency_decimals: data.currency_decimals,
      status: data.status,
      status_version: data.status_version,
      test_mode: data.test_mode,
      expires_at: rfc3339(data.expires_at),
      ...(confirmation === null
        ? {}
        : {
            event_id: confirmation.event_id,
            provider_trade_no: confirmation.provider_trade_no,
            occurred_at: confirmation.occurred_at,
          }),
    },
  });
}
