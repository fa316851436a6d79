/** Imports historical orders. */
export { type ImportLine, type Refusal, importOrders } from './import-orders.ts';
