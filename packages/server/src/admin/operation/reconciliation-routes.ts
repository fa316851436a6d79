import type { FastifyInstance } from 'fastify';
import { merchantIdOf, merchantNo } from '../../base/ids.ts';
import { pageOf, readPageRequest } from '../../base/input/list-page.ts';
import { rfc3339 } from '../../base/time/clock.ts';
import {
  type Difference,
  differenceInWords,
  type Reconciliation,
  selectReconciliations,
} from '../../payments/reconciliation/index.ts';
import type { AdminDeps } from '../request/deps.ts';
import type { Listing } from '../request/request.ts';

/** `GET /provider-reconciliations`: the comparisons with the card providers, newest first. */
export function reconciliationRoutes(app: FastifyInstance, { db }: Pick<AdminDeps, 'db'>): void {
  app.get<Listing>('/provider-reconciliations', async ({ query }) => {
    const { limit, after } = readPageRequest(query);
    const found = await selectReconciliations(db, { before: after, limit: limit + 1 });
    return pageOf(found, limit, ({ reconciliation_id }) => reconciliation_id, reconciliationJson);
  });
}

const reconciliationJson = ({ since, until, ran_at, differences, ...rest }: Reconciliation) => ({
  ...rest,
  since: rfc3339(since),
  until: rfc3339(until),
  ran_at: rfc3339(ran_at),
  differences: differences.map(differenceJson),
});

function differenceJson(difference: Difference) {
  const { merchant_id, payment_no: _, ...rest } = difference;
  // The metadata of a session comes from the provider and can name anything.
  const merchant_no = merchant_id === null || !uuid.test(merchant_id) ? null : merchantNo(merchant_id);
  const isNumber = merchant_no !== null && merchantIdOf(merchant_no) !== null;
  return { ...rest, merchant_no: isNumber ? merchant_no : null, words: differenceInWords(difference) };
}

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
