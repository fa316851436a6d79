/** For shop systems: one collection order for each cart and amount, the order of a notification, and exact amounts. */
export { collect, type Collection } from './collect.ts';
export { readNotified } from './read-notified.ts';
export { decimalOfMinor, minorOfDecimal } from './minor-units.ts';
