export { destinationOf, invalidNotifyUrl, parseNotifyUrl } from './public-address.ts';
export { type NameResolver, systemResolver, vetAddress, vetHost } from './resolve.ts';
