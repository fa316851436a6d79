/** The start of every payment, by card and in PTK: what is checked, and who asks the provider. */
export { readMethod } from './pay-from-snapshot.ts';
export { startPayment } from './start-payment.ts';
