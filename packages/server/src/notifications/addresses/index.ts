/** Which addresses notifications may be sent to. */
export { invalidNotifyUrl, parseNotifyUrl } from './public-address.ts';
export { type NameResolver, systemResolver, createNotifyUrlVetter, vetHost } from './resolve.ts';
