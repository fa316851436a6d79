import type { FastifyInstance } from 'fastify';
import { orderCsvColumns } from '../../collection/orders/index.ts';
import { countOrders, listOrderPage } from '../../collection/reading/index.ts';
import { listRoutes } from '../../http/lists/list-routes.ts';
import type { ConsoleDeps } from '../request/deps.ts';
import { exportLimit } from '../../http/lists/export-limit.ts';
import { actorOf, type ByMerchant, type Listing, memberOf, type Request } from '../request/member.ts';
import { consoleOrderDetail } from './order-detail.ts';
import { consoleOrderJson } from './order-json.ts';

type Order = ReturnType<typeof consoleOrderJson>;

/** A merchant's collection orders: the list, the search, and one order with its history. */
export function orderRoutes(app: FastifyInstance, deps: ConsoleDeps): void {
  const load = async (request: Request, query: Listing['Querystring']) => {
    const page = await listOrderPage(deps, memberOf(request).merchant.merchant_id, query);
    return { ...page, items: page.items.map(consoleOrderJson) };
  };
  listRoutes<ByMerchant & Listing, Order>(app, '/collection-orders', load, {
    columns: ['order_no', ...orderCsvColumns],
    admit: exportLimit({ ...deps, actorOf }),
  });

  app.get<ByMerchant & Listing>('/collection-order-count', (request) =>
    countOrders(deps, memberOf(request).merchant.merchant_id, request.query),
  );

  app.get<{ Params: ByMerchant['Params'] & { order_no: string } }>(
    '/collection-orders/:order_no',
    (request) => consoleOrderDetail(deps, memberOf(request).merchant.merchant_id, request.params.order_no),
  );
}
