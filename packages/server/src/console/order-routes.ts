import type { FastifyInstance } from 'fastify';
import { pageOf, readPageRequest } from '../base/list-page.ts';
import {
  isOrderMark,
  listOrderPage,
  orderMarkOf,
  orderMarkText,
  readOrderFilter,
} from '../collection/list-orders.ts';
import type { ConsoleDeps } from './deps.ts';
import { type ByMerchant, type Listing, memberOf } from './member.ts';
import { consoleOrderDetail } from './order-detail.ts';
import { consoleOrderJson } from './order-json.ts';

/** A merchant's collection orders: listed, searched, and each with all that has happened to it. */
export function orderRoutes(app: FastifyInstance, deps: ConsoleDeps): void {
  app.get<ByMerchant & Listing>('/collection-orders', async (request) => {
    const { merchant_id } = memberOf(request).merchant;
    const { limit, after } = readPageRequest(request.query, isOrderMark);
    const behind = after === null ? null : orderMarkOf(after);
    const orders = await listOrderPage(deps, merchant_id, readOrderFilter(request.query), behind, limit + 1);
    return pageOf(orders, limit, orderMarkText, consoleOrderJson);
  });

  app.get<{ Params: ByMerchant['Params'] & { order_no: string } }>(
    '/collection-orders/:order_no',
    (request) => consoleOrderDetail(deps, memberOf(request).merchant.merchant_id, request.params.order_no),
  );
}
