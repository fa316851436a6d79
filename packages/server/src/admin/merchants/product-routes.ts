import type { FastifyInstance, FastifyRequest } from 'fastify';
import {
  addProduct,
  changeProduct,
  listManagedProducts,
  type Manager,
  readManagedProduct,
  readNewProduct,
  readProductChange,
} from '../../catalog/products/index.ts';
import { runAsAdministrator } from '../keys/index.ts';
import type { AdminDeps } from '../request/deps.ts';
import { findMerchant } from '../request/merchant.ts';
import { actorOf, type ByMerchant, type ByProduct, type Listing } from '../request/request.ts';

/** The products of one merchant, with the same calls as in the merchant's console. */
export function productRoutes(app: FastifyInstance, deps: AdminDeps): void {
  const { db } = deps;

  app.get<ByMerchant & Listing>('/merchants/:merchant_no/products', async ({ params, query }) =>
    listManagedProducts(deps, (await findMerchant(db, params.merchant_no)).merchant_id, query),
  );

  app.get<ByProduct>('/merchants/:merchant_no/products/:gd_no', async ({ params }) =>
    readManagedProduct(deps, (await findMerchant(db, params.merchant_no)).merchant_id, params.gd_no),
  );

  app.post<ByMerchant>('/merchants/:merchant_no/products', async (request, reply) => {
    const { merchant_id } = await findMerchant(db, request.params.merchant_no);
    return reply
      .code(201)
      .send(await addProduct(deps, managerOf(request), merchant_id, readNewProduct(request.body)));
  });

  app.patch<ByProduct>('/merchants/:merchant_no/products/:gd_no', async (request) => {
    const { merchant_no, gd_no } = request.params;
    const { merchant_id } = await findMerchant(db, merchant_no);
    return changeProduct(deps, managerOf(request), merchant_id, gd_no, readProductChange(request.body));
  });
}

const managerOf = (request: Pick<FastifyRequest, 'id'>): Manager => ({
  actor: actorOf(request),
  run: runAsAdministrator,
});
