import type { FastifyInstance } from 'fastify';
import type { Database } from '../../base/pg/index.ts';
import { AppError } from '../../base/errors.ts';
import {
  addProduct,
  changeProduct,
  listManagedProducts,
  readManagedProduct,
  readNewProduct,
  readProductChange,
} from '../../catalog/products/index.ts';
import { selectMerchant } from '../../merchants/index.ts';
import { merchantInPath } from '../request/decode.ts';
import type { AdminDeps } from '../request/deps.ts';
import { actorOf, type ByMerchant, type ByProduct, type Listing } from '../request/request.ts';

/** A merchant's products, as its owner manages them in the console. */
export function productRoutes(app: FastifyInstance, deps: AdminDeps): void {
  const { db } = deps;

  app.get<ByMerchant & Listing>('/merchants/:merchant_no/products', async ({ params, query }) =>
    listManagedProducts(deps, await merchantOf(db, params.merchant_no), query),
  );

  app.get<ByProduct>('/merchants/:merchant_no/products/:gd_no', async ({ params }) =>
    readManagedProduct(deps, await merchantOf(db, params.merchant_no), params.gd_no),
  );

  app.post<ByMerchant>('/merchants/:merchant_no/products', async (request, reply) => {
    const merchant_id = await merchantOf(db, request.params.merchant_no);
    return reply
      .code(201)
      .send(await addProduct(deps, actorOf(request), merchant_id, readNewProduct(request.body)));
  });

  app.patch<ByProduct>('/merchants/:merchant_no/products/:gd_no', async (request) => {
    const { merchant_no, gd_no } = request.params;
    const merchant_id = await merchantOf(db, merchant_no);
    return changeProduct(deps, actorOf(request), merchant_id, gd_no, readProductChange(request.body));
  });
}

/** The id of a merchant that there is. Throws AppError `not_found`. */
async function merchantOf(db: Database, merchant_no: string): Promise<string> {
  const merchant = await selectMerchant(db, merchantInPath(merchant_no));
  if (merchant === null) throw new AppError('not_found');
  return merchant.merchant_id;
}
