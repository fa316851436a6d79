/** Refunds of orders: requested, followed at the provider, and applied to the order. */
export { pursueDueRefunds, pursueRefund } from './pursue-refund.ts';
export { requestRefund } from './request-refund.ts';
export { refundsOfOrder, settleRefund } from './settle-refund.ts';
