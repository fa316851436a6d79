import type { FastifyInstance } from 'fastify';
import { rfc3339 } from '../../base/time/clock.ts';
import type { Database } from '../../base/pg/index.ts';
import { invalid } from '../../base/errors.ts';
import { merchantNo } from '../../base/ids.ts';
import { ptkText } from '../../base/money.ts';
import {
  isOrderCursor,
  listOrderPage,
  parseOrderCursor,
  orderCursorText,
  readOrderFilter,
  listOrdersOfAllMerchants,
} from '../../collection/reading/index.ts';
import { type CollectionOrder, orderJson } from '../../collection/orders/index.ts';
import { selectMerchant } from '../../merchants/index.ts';
import { type Page, pageOf, readPageRequest } from '../../base/input/list-page.ts';
import { listRoutes } from '../../http/lists/list-routes.ts';
import type { AdminDeps } from '../request/deps.ts';
import { merchantIdInQuery } from '../request/merchant.ts';
import { exportLimit } from '../../http/lists/export-limit.ts';
import { actorOf, type Listing } from '../request/request.ts';

type Query = Readonly<Listing['Querystring']>;

/** `GET /collection-orders`, newest first: one merchant's orders by time, or all merchants' by number. */
export function orderListRoutes(app: FastifyInstance, deps: AdminDeps): void {
  const load = async (_request: unknown, query: Query) => {
    const merchant_id = merchantIdInQuery(query);
    const page = merchant_id === null ? await ofAll(deps, query) : await ofOne(deps, query, merchant_id);
    const names = await namesOf(deps.db, page.items);
    return { ...page, items: page.items.map((order) => adminOrderJson(order, names)) };
  };
  listRoutes<Listing, ReturnType<typeof adminOrderJson>>(app, '/collection-orders', load, {
    columns: [
      ...(['order_no', 'merchant_no', 'merchant_name', 'external_reference', 'description'] as const),
      ...(['status', 'amount', 'currency', 'payment_amount', 'payment_currency'] as const),
      'settlement_ptk',
      ['settlement', ({ settlement_ptk }) => ptkText(settlement_ptk)],
      ...(['provider_trade_no', 'event_id', 'created_at', 'occurred_at', 'test_mode'] as const),
    ],
    admit: exportLimit({ ...deps, actorOf }),
  });
}

async function ofOne(deps: AdminDeps, query: Query, merchant_id: string): Promise<Page<CollectionOrder>> {
  const { limit, after } = readPageRequest(query, isOrderCursor);
  const behind = after === null ? null : parseOrderCursor(after);
  const orders = await listOrderPage(deps, merchant_id, readOrderFilter(query), behind, limit + 1);
  return pageOf(orders, limit, orderCursorText, (order) => order);
}

async function ofAll(deps: AdminDeps, query: Query): Promise<Page<CollectionOrder>> {
  const { text, status, created } = readOrderFilter(query);
  if (created.from !== null || created.to !== null) {
    throw invalid('merchant_no', 'A time span works only for the orders of one merchant: name the merchant.');
  }
  const { limit, after } = readPageRequest(query);
  const orders = await listOrdersOfAllMerchants(deps, { text, status }, after, limit + 1);
  return pageOf(
    orders,
    limit,
    ({ order_no }) => order_no,
    (order) => order,
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
  };
}
