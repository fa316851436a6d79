import type { FastifyInstance } from 'fastify';
import { readBooksState } from '../../verification/index.ts';
import type { AdminDeps } from '../request/deps.ts';
import { actorOf } from '../request/request.ts';
import { booksStateJson, verificationJson } from './verification-json.ts';

/**
 * `GET /ledger/verification`: checks all books now, and keeps the result. `GET /ledger/verifications`: the latest checks,
 * and the findings that stand.
 */
export function verificationRoutes(
  app: FastifyInstance,
  { db, verifyBooks }: Pick<AdminDeps, 'db' | 'verifyBooks'>,
): void {
  app.get('/ledger/verification', async (request) => verificationJson(await verifyBooks(actorOf(request))));

  app.get('/ledger/verifications', async () => booksStateJson(await readBooksState(db)));
}
