/** Creates collection orders. */
export { createOrder, fillsWallets } from './create-order.ts';
export { recoverOrder } from './recover-lost-order.ts';
export { decodeCreateRequest } from './create-request.ts';
export { minorOf, readAmount } from './requested-amount.ts';
