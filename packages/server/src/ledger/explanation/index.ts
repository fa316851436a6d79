/** Explains transfers in words, and adds those of an order up to totals. */
export { compareTransfers, explain, inLanguage } from './explain.ts';
export { type TotalName, addUp, sumByAccount } from './order-totals.ts';
