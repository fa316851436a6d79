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
import { caseJson, leftJson } from './case-json.ts';
import { caseWrites } from './case-write.ts';
import type { AdminDeps } from '../request/deps.ts';
import { actorOf, type ByCase, type Listing } from '../request/request.ts';

const readResolution = reader(ResolutionOfCase);

/**
 * `GET /cases`: the newest first, filtered by `state` and `kind`; and the actions that administrators take on one
 * (R-378).
 */
export function caseRoutes(app: FastifyInstance, deps: AdminDeps): void {
  const { db } = deps;

  app.get<Listing>('/cases', async ({ query }) => {
    const { limit, after } = readPageRequest(query);
    const state = oneIn(query, 'state', caseStates);
    const kind = oneIn(query, 'kind', caseKinds);
    const found = await selectCases(db, { state, kind, before: after, limit: limit + 1 });
    return pageOf(found, limit, ({ case_id }) => case_id, caseJson);
  });

  app.get<ByCase>('/cases/:case_id', async ({ params }) => {
    const known = await selectCase(db, params.case_id);
    if (known === null) throw new AppError('not_found');
    return {
      ...caseJson(known),
      ...leftJson(known, await readLeft(db, known)),
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
