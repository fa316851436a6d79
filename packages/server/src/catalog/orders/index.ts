/** Catalog orders: creation, payment, expiry, reading. */
export type { CatalogOrderDeps } from './deps.ts';
export { expireIfDue, sweepCatalog } from './expire-order.ts';
export { recoverCatalogOrder } from './recover-lost-order.ts';
export { orderJson } from './order-json.ts';
export { catalogOrderRoutes } from './order-routes.ts';
export { sumAppPayments } from './app-payment.sql.ts';
export {
  selectCatalogOrderByNo,
  selectOrder as selectCatalogOrder,
  selectOrderForUpdate,
  selectTestCatalogOrders,
  updateOrder,
} from './order.sql.ts';
export {
  type CatalogOrder,
  type CatalogState,
  invoiceMinor,
  isCatalogOrderNo,
  lineOf,
  moved,
  orderPath,
} from './order.ts';
export { catalogKind } from './payable-order.ts';
export { listSoldOrders, readSoldOrder, readTradeNo } from './read-order.ts';
