/**
 * What Paydesk has confirmed, on its way through Vendure to the payment handler. Only this process can make an entry, and only
 * for the very object that it passes on, so no request of a buyer or an administrator counts as a confirmation.
 */
import type { CollectionOrder } from '@paydesk/sdk';

/** A payment, with its amount in the shop's smallest units. */
export interface ConfirmedPayment {
  state: CollectionOrder;
  amount: bigint;
  event_id: string;
}

/** By the metadata of `addPaymentToOrder`. */
export const confirmedPayments = new WeakMap<object, ConfirmedPayment>();

/** By the input of `refundOrder`. */
export const confirmedRefunds = new WeakMap<object, CollectionOrder>();
