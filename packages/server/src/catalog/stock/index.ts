export { giveCodes, selectFreeCodes, selectGivenCodes } from './codes.sql.ts';
export { selectMerchantsToFulfil, selectOrdersToFulfil } from './hand-out.sql.ts';
export { addStock, lockStock, takeStock } from './stock.sql.ts';
export { readCodesLeft, uploadCodes } from './upload-codes.ts';
export { withdrawCodes } from './withdraw-codes.ts';
