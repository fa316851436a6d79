import type { FastifyInstance } from 'fastify';
import type { CsvColumn } from '../../base/csv.ts';
import { ptkText } from '../../base/money.ts';
import { countOrders, listOrderPage } from '../../collection/reading/index.ts';
import { listRoutes } from '../../http/lists/list-routes.ts';
import type { ConsoleDeps } from '../request/deps.ts';
import { exportLimit } from '../../http/lists/export-limit.ts';
import { actorOf, type ByMerchant, type Listing, memberOf, type Request } from '../request/member.ts';
import { consoleOrderDetail } from './order-detail.ts';
import { consoleOrderJson } from './order-json.ts';

type Order = ReturnType<typeof consoleOrderJson>;

const columns: readonly CsvColumn<Order>[] = [
  ...(['order_no', 'external_reference', 'description', 'status', 'amount', 'currency'] as const),
  ...(['payment_amount', 'payment_currency', 'buyer_fee', 'merchant_fee'] as const),
  ...(['gross_settlement_ptk', 'merchant_fee_ptk', 'settlement_ptk'] as const),
  // gross_settlement - settlement_fee = settlement (D-910).
  ['gross_settlement', ({ gross_settlement_ptk }) => ptkText(gross_settlement_ptk)],
  ['settlement_fee', ({ merchant_fee_ptk }) => ptkText(merchant_fee_ptk)],
  ['settlement', ({ settlement_ptk }) => ptkText(settlement_ptk)],
  ...(['provider_trade_no', 'event_id', 'created_at', 'paid_at', 'occurred_at', 'test_mode'] as const),
];

/** A merchant's collection orders: the list, the search, and one order with its history. */
export function orderRoutes(app: FastifyInstance, deps: ConsoleDeps): void {
  const load = async (request: Request, query: Listing['Querystring']) => {
    const page = await listOrderPage(deps, memberOf(request).merchant.merchant_id, query);
    return { ...page, items: page.items.map(consoleOrderJson) };
  };
  listRoutes<ByMerchant & Listing, Order>(app, '/collection-orders', load, {
    columns,
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
