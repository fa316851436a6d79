/** Delivery of catalog orders: by hand, or with codes from a product's stock of codes. */
export { type FreeCodes, listFreeCodes } from './codes.sql.ts';
export { fulfilOrder } from './fulfil-order.ts';
export { handOutDueCodes } from './hand-out-codes.ts';
export { hasDelivery, readDelivery } from './read-delivery.ts';
export { readCodesLeft, uploadCodes } from './upload-codes.ts';
export { withdrawCodes } from './withdraw-codes.ts';
