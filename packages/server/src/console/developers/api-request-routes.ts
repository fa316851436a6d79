import type { FastifyInstance } from 'fastify';
import { listRequests } from '../../requests/index.ts';
import type { ConsoleDeps } from '../request/deps.ts';
import { type ByMerchant, type Listing, memberOf } from '../request/member.ts';

/** The recent API requests of a merchant's clients, searchable by the request id of the answer. */
export function apiRequestRoutes(app: FastifyInstance, { db }: Pick<ConsoleDeps, 'db'>): void {
  app.get<ByMerchant & Listing>('/api-requests', (request) =>
    listRequests(db, memberOf(request).merchant.merchant_id, request.query),
  );
}
