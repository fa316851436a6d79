import type { FastifyInstance } from 'fastify';
import { rfc3339, rfc3339OrNull } from '../../base/time/clock.ts';
import type { Database } from '../../base/pg/index.ts';
import { merchantNo } from '../../base/ids.ts';
import { countOrders, listOrderPage } from '../../collection/reading/index.ts';
import {
  type CollectionOrder,
  confirmedAt,
  orderCsvColumns,
  orderJson,
} from '../../collection/orders/index.ts';
import { selectMerchant } from '../../merchants/index.ts';
import { listRoutes } from '../../http/lists/list-routes.ts';
import type { AdminDeps } from '../request/deps.ts';
import { merchantIdInQuery } from '../request/merchant.ts';
import { exportLimit } from '../../http/lists/export-limit.ts';
import { actorOf, type Listing } from '../request/request.ts';

type Query = Readonly<Listing['Querystring']>;

/** `GET /collection-orders`, of one merchant or of all, and `GET /collection-order-count` (D-341). */
export function orderListRoutes(app: FastifyInstance, deps: AdminDeps): void {
  const load = async (_request: unknown, query: Query) => {
    const page = await listOrderPage(deps, merchantIdInQuery(query), query);
    const names = await namesOf(deps.db, page.items);
    return { ...page, items: page.items.map((order) => adminOrderJson(order, names)) };
  };
  listRoutes<Listing, ReturnType<typeof adminOrderJson>>(app, '/collection-orders', load, {
    columns: ['order_no', 'merchant_no', 'merchant_name', ...orderCsvColumns],
    admit: exportLimit({ ...deps, actorOf }),
  });

  app.get<Listing>('/collection-order-count', ({ query }) =>
    countOrders(deps, merchantIdInQuery(query), query),
  );
}

async function namesOf(db: Database, orders: readonly CollectionOrder[]): Promise<Map<string, string>> {
  const merchants = [...new Set(orders.map(({ merchant_id }) => merchant_id))];
  const found = await Promise.all(merchants.map((merchant_id) => selectMerchant(db.lookups, merchant_id)));
  return new Map(
    found.flatMap((merchant) => (merchant === null ? [] : [[merchant.merchant_id, merchant.name]])),
  );
}

function adminOrderJson(order: CollectionOrder, names: ReadonlyMap<string, string>) {
  const { checkout_url: _, ...members } = orderJson(order, () => '');
  return {
    merchant_no: merchantNo(order.merchant_id),
    merchant_name: names.get(order.merchant_id) ?? '',
    ...members,
    description: order.description,
    created_at: rfc3339(order.created_at),
    paid_at: rfc3339OrNull(confirmedAt(order)),
  };
}
