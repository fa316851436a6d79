export { type AttemptOutcome, type DeliveryError, failedBy } from './attempt-outcome.ts';
export { fetchBytes } from './fetch-bytes.ts';
export { type HttpSender, type Posted, createHttpSender } from './http-delivery.ts';
export { destinationOf, invalidNotifyUrl, parseNotifyUrl } from './public-address.ts';
export { type NameResolver, systemResolver, vetAddress, vetHost } from './resolve.ts';
