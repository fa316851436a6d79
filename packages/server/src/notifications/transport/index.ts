/** Sends one notification over HTTP to a checked address. */
export { type DeliveryOutcome, type DeliveryError, failedBy } from './delivery-outcome.ts';
export { fetchBytes } from './fetch-bytes.ts';
export { type HttpSender, type Posted, createHttpSender, userAgent } from './http-sender.ts';
