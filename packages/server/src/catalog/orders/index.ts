export type { CatalogOrderDeps } from './deps.ts';
export { expireIfDue, sweepCatalog } from './expire-order.ts';
export { fulfilOrder, readDelivery } from './fulfil-order.ts';
export { handOutDueCodes } from './hand-out-codes.ts';
export { orderJson } from './order-json.ts';
export { catalogOrderRoutes } from './order-routes.ts';
export { selectCatalogOrderByNo } from './order.sql.ts';
export {
  type CatalogOrder,
  type CatalogState,
  invoiceMinor,
  isCatalogOrderNo,
  lineOf,
  orderPath,
} from './order.ts';
export { catalogKind } from './payable-order.ts';
export { listSoldOrders, readSoldOrder, readTradeNo } from './read-order.ts';
