import type { FastifyInstance } from 'fastify';
import { addFindings, recordVerification } from '../../ledger/verification/index.ts';
import { verifyBooks } from '../../payments/verification/index.ts';
import type { AdminDeps } from '../request/deps.ts';
import { actorOf } from '../request/request.ts';
import { verificationJson } from './verification-json.ts';

/** `GET /ledger/verification`: checks all books now, and stores the result for the overview. */
export function verificationRoutes(
  app: FastifyInstance,
  { db, clock, findSealFaults }: Pick<AdminDeps, 'db' | 'clock' | 'findSealFaults'>,
): void {
  app.get('/ledger/verification', async (request) => {
    const verification = addFindings(await verifyBooks(db), await findSealFaults());
    const by = { verified_at: clock.now(), verified_by: actorOf(request) };
    await recordVerification(db, verification, by);
    return verificationJson(verification);
  });
}
