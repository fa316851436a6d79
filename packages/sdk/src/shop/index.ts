/** For shop systems: one collection order for each cart and amount, and exact amounts. */
export { collect, type Collection } from './collect.ts';
export { decimalOfMinor, minorOfDecimal } from './minor-units.ts';
