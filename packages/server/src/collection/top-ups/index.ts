/** Top-ups: people buy PTK by card, as collection orders of the platform's own merchant. */
export { amountGiving, readTopUpOffer, startTopUp } from './start-top-up.ts';
export { selectTopUpMerchant } from './top-up-merchant.ts';
