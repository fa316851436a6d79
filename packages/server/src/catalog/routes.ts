/** The HTTP routes of the merchant's profile and products in the merchant API. */
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { AppError, InvariantError } from '../base/errors.ts';
import { trimmed } from '../base/input/trimmed.ts';
import type { Currencies } from '../currencies/index.ts';
import type { FindMerchant } from '../merchants/index.ts';
import type { Bearer, Caller } from '../oauth/tokens/index.ts';
import type { Scope } from '../oauth/clients/index.ts';
import { type ListDeps, listProducts, readPage, productJson, profileJson } from './products/index.ts';
import { readListLimit } from '../http/lists/list-limit.ts';
import type { Limiter } from '../http/rate-limit.ts';

export interface CatalogRoutesDeps extends ListDeps {
  bearer: Bearer;
  limiter: Limiter;
  findMerchant: FindMerchant;
  currencies: Currencies;
}

type Query = Record<string, string | string[] | undefined>;

/** Adds the routes below `/openapi/v1`. They accept both kinds of tokens. */
export function catalogRoutes(app: FastifyInstance, deps: CatalogRoutesDeps): void {
  const callers = new WeakMap<FastifyRequest, Caller>();

  /**
   * Checks token, scope and merchant, then the rate limit (R-334, D-011, D-160). A client without an active merchant
   * is refused (R-336, D-173).
   */
  const guard = (scope: Scope) => async (request: FastifyRequest) => {
    const caller = await deps.bearer(request, { scope, kind: 'any' });
    await deps.limiter.take('catalog_read', caller.client_id);
    callers.set(request, caller);
  };
  const merchantOf = (request: FastifyRequest): string => {
    const caller = callers.get(request);
    if (caller === undefined) throw new AppError('invalid_token');
    return caller.merchant_id;
  };

  app.get('/openapi/v1/merchant', { onRequest: guard('merchant.profile.read') }, async (request) => {
    const merchant = await deps.findMerchant(merchantOf(request));
    if (merchant === null) throw new AppError('merchant_inactive');
    return profileJson(merchant);
  });

  app.get<{ Querystring: Query }>(
    '/openapi/v1/products',
    { onRequest: guard('products.read') },
    async (request) => {
      const { query } = request;
      const page = readPage(query.page);
      const limit = readListLimit(query.limit);
      const filter = { gd_no: readFilter(query.gd_no), search_value: readFilter(query.search_value) };
      const { list, total } = await listProducts(deps, merchantOf(request), { page, limit, ...filter });
      const shown = list.map(async (product) => {
        const currency = await deps.currencies.currency(product.currency);
        if (currency === null) throw new InvariantError('the currency of a product does not exist');
        return productJson(product, currency.decimals);
      });
      // `page` and `limit` as they were applied.
      return { list: await Promise.all(shown), total, page, limit };
    },
  );
}

/** Reads a filter and trims it. An empty or repeated one counts as missing (D-156). */
const readFilter = (value: string | string[] | undefined): string =>
  typeof value === 'string' ? trimmed(value) : '';
