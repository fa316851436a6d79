import type { ManagedProduct } from '@paydesk/contract';
import type { FastifyInstance } from 'fastify';
import type { CsvColumn } from '../../base/csv.ts';
import {
  fixed8Text,
  addProduct,
  changeProduct,
  listManagedProducts,
  type Manager,
  readManagedProduct,
  readNewProduct,
  readProductChange,
} from '../../catalog/products/index.ts';
import { directoryOf, selectChannelsFor } from '../../channels/index.ts';
import { listRoutes } from '../../http/lists/list-routes.ts';
import { type Asked, runAsMember } from '../request/as-member.ts';
import type { ConsoleDeps } from '../request/deps.ts';
import { exportLimit } from '../../http/lists/export-limit.ts';
import { actorOf, type ByMerchant, type Listing, memberOf, type Request } from '../request/member.ts';

interface ByProduct {
  Params: ByMerchant['Params'] & { gd_no: string };
}

const columns: readonly CsvColumn<ManagedProduct>[] = [
  ...(['gd_no', 'gd_name', 'currency'] as const),
  ['actual_price', (product) => fixed8Text(product.actual_price, product.currency_decimals)],
  ['retail_price', (product) => fixed8Text(product.retail_price, product.currency_decimals)],
  ['wholesale_price_cnf', ({ wholesale_price_cnf }) => wholesale_price_cnf.join(' ')],
  ...(['in_stock', 'buy_limit_num', 'payment_policy', 'keywords', 'enabled'] as const),
  ...(['created_at', 'updated_at'] as const),
];

/** The products of a merchant, as the owner manages them. */
export function productRoutes(app: FastifyInstance, deps: ConsoleDeps): void {
  const load = (request: Request, query: Listing['Querystring']) =>
    listManagedProducts(deps, memberOf(request).merchant.merchant_id, query);
  listRoutes<ByMerchant & Listing, ManagedProduct>(app, '/products', load, {
    columns,
    admit: exportLimit({ ...deps, actorOf }),
  });

  app.get<ByMerchant>('/payment-channels', async (request) => {
    const { merchant_id } = memberOf(request).merchant;
    return { items: directoryOf(await selectChannelsFor(deps.db, merchant_id), merchant_id) };
  });

  app.get<ByProduct>('/products/:gd_no', (request) =>
    readManagedProduct(deps, memberOf(request).merchant.merchant_id, request.params.gd_no),
  );

  app.post<ByMerchant>('/products', async (request, reply) => {
    const { merchant_id } = memberOf(request).merchant;
    const by = managerOf(request);
    return reply.code(201).send(await addProduct(deps, by, merchant_id, readNewProduct(request.body)));
  });

  app.patch<ByProduct>('/products/:gd_no', (request) => {
    const { merchant_id } = memberOf(request).merchant;
    const by = managerOf(request);
    return changeProduct(deps, by, merchant_id, request.params.gd_no, readProductChange(request.body));
  });
}

const managerOf = (request: Asked): Manager => ({
  actor: actorOf(request),
  run: (deps, act, work) => runAsMember(deps, request, act, work),
});
