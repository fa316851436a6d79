import type { FastifyInstance } from 'fastify';
import {
  addProduct,
  changeProduct,
  listManagedProducts,
  readManagedProduct,
} from '../catalog/manage-products.ts';
import type { ConsoleDeps } from './deps.ts';
import { type ByMerchant, memberOf } from './member.ts';

interface ByProduct {
  Params: ByMerchant['Params'] & { gd_no: string };
}

/** What a merchant sells, as its owner manages it. */
export function productRoutes(app: FastifyInstance, deps: ConsoleDeps): void {
  app.get<ByMerchant & { Querystring: Record<string, unknown> }>('/products', (request) =>
    listManagedProducts(deps, memberOf(request).merchant.merchant_id, request.query),
  );

  app.get<ByProduct>('/products/:gd_no', (request) =>
    readManagedProduct(deps, memberOf(request).merchant.merchant_id, request.params.gd_no),
  );

  app.post<ByMerchant>('/products', async (request, reply) => {
    const { actor, merchant } = memberOf(request);
    return reply.code(201).send(await addProduct(deps, actor, merchant.merchant_id, request.body));
  });

  app.patch<ByProduct>('/products/:gd_no', (request) => {
    const { actor, merchant } = memberOf(request);
    return changeProduct(deps, actor, merchant.merchant_id, request.params.gd_no, request.body);
  });
}
