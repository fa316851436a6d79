import type { FastifyInstance } from 'fastify';
import { listRequests } from '../../requests/index.ts';
import type { ConsoleDeps } from '../request/deps.ts';
import { type ByMerchant, type Listing, memberOf } from '../request/member.ts';

/** What a merchant's clients have asked of the API lately, to be looked up by the id that came with the answer. */
export function apiRequestRoutes(app: FastifyInstance, { db }: Pick<ConsoleDeps, 'db'>): void {
  app.get<ByMerchant & Listing>('/api-requests', (request) =>
    listRequests(db, memberOf(request).merchant.merchant_id, request.query),
  );
}
