/** Payments by Paydesk for Vendure 3. */
export { paydeskPaymentHandler } from './handler.ts';
export type { Checkout } from './paydesk.service.ts';
export { PaydeskPlugin } from './plugin.ts';
