import { caseKinds, caseStates, ResolutionOfCase } from '@paydesk/contract';
import type { FastifyInstance } from 'fastify';
import { AppError } from '../../base/errors.ts';
import { selectCases, selectCase } from '../../payments/cases/index.ts';
import { allowedActions } from '../../payments/decisions/index.ts';
import { readLeft } from '../../payments/case-money/index.ts';
import { answerOf, answerOutcome, runOrAsk } from '../approvals/index.ts';
import { demandReason, oneIn } from '../request/decode.ts';
import { reader } from '../../base/input/decode.ts';
import { pageOf, readPageRequest } from '../../base/input/list-page.ts';
import { exportLimit } from '../../http/lists/export-limit.ts';
import { listRoutes } from '../../http/lists/list-routes.ts';
import { caseJson, leftJson } from './case-json.ts';
import { caseWrites } from './case-write.ts';
import type { AdminDeps } from '../request/deps.ts';
import { actorOf, type ByCase, type Listing } from '../request/request.ts';

const readResolution = reader(ResolutionOfCase);

/**
 * `GET /cases`: the newest first, filtered by `state` and `kind`, each with what it still holds (D-1064); and the
 * actions that administrators take on one.
 */
export function caseRoutes(app: FastifyInstance, deps: AdminDeps): void {
  const { db } = deps;

  const load = async (_request: unknown, query: Listing['Querystring']) => {
    const { limit, after } = readPageRequest(query);
    const state = oneIn(query, 'state', caseStates);
    const kind = oneIn(query, 'kind', caseKinds);
    const found = await selectCases(db, { state, kind, before: after, limit: limit + 1 });
    const left = await readLeft(db, found);
    return pageOf(
      found,
      limit,
      ({ case_id }) => case_id,
      (known) => ({ ...caseJson(known), ...leftJson(known, left.get(known.case_id)) }),
    );
  };
  type Listed = Awaited<ReturnType<typeof load>>['items'][number];
  listRoutes<Listing, Listed>(app, '/cases', load, {
    columns: [
      ...(['case_id', 'kind', 'state', 'merchant_no', 'order_no', 'payment_no'] as const),
      // As the trial balance shows a currency that Paydesk does not keep: in whole smallest units.
      ['amount', ({ amount, amount_minor }) => amount ?? amount_minor],
      ['left', ({ left }) => left?.amount ?? left?.amount_minor],
      ...(['currency', 'booked', 'resolution', 'reason', 'provider_payment_id', 'paid_at'] as const),
      ...(['opened_at', 'resolved_at', 'test_mode'] as const),
    ],
    admit: exportLimit({ ...deps, actorOf }),
  });

  app.get<ByCase>('/cases/:case_id', async ({ params }) => {
    const known = await selectCase(db, params.case_id);
    if (known === null) throw new AppError('not_found');
    const left = await readLeft(db, [known]);
    return {
      ...caseJson(known),
      ...leftJson(known, left.get(known.case_id)),
      allowed_actions: allowedActions(known),
    };
  });

  app.post<ByCase>('/cases/:case_id/resolution', async (request, reply) => {
    const { action, reason: given, loss_amount } = readResolution(request.body);
    const by = { actor: actorOf(request), reason: demandReason(given) };
    const { case_id } = request.params;
    const outcome = await runOrAsk(deps, caseWrites[action], { case_id, loss_amount }, by);
    return answerOutcome(reply, outcome, async (written) => reply.send(await answerOf(written)));
  });
}
