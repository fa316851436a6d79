/** For shop systems: one collection order for each cart and amount, all orders of a cart, the order of a notification, and exact amounts. */
export { collect, type Collection } from './collect.ts';
export { ordersOf } from '../client/orders-of.ts';
export { readNotified } from './read-notified.ts';
export { decimalOfMinor, minorOfDecimal } from './minor-units.ts';
