import { caseKinds, caseStates, ResolutionOfCase } from '@paydesk/contract';
import type { FastifyInstance } from 'fastify';
import { AppError } from '../../base/errors.ts';
import { type PaymentCase, selectCases, selectCase } from '../../payments/cases/index.ts';
import {
  pursueCase,
  allowedActions,
  prepareResolution,
  resolveCase,
} from '../../payments/decisions/index.ts';
import { runAudited } from '../../base/audit/index.ts';
import { demandReason, oneIn } from '../request/decode.ts';
import { reader } from '../../base/input/decode.ts';
import { pageOf, readPageRequest } from '../../base/input/list-page.ts';
import { caseJson } from './case-json.ts';
import type { AdminDeps } from '../request/deps.ts';
import { actorOf, type ByCase, type Listing } from '../request/request.ts';

const readResolution = reader(ResolutionOfCase);

/**
 * `GET /cases`: the newest first, filtered by `state` and `kind`; and the actions that administrators take on one
 * (R-378).
 */
export function caseRoutes(app: FastifyInstance, deps: AdminDeps): void {
  const { db, payments } = deps;

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
    return { ...caseJson(known), allowed_actions: allowedActions(known) };
  });

  app.post<ByCase>('/cases/:case_id/resolution', async (request) => {
    const { action, reason: given } = readResolution(request.body);
    const reason = demandReason(given);
    const { case_id } = request.params;
    await prepareResolution(payments, case_id, action);
    const act = { actor: actorOf(request), action: `case.${action}`, reason };
    const { decided } = await runAudited(deps, act, async (tx) => {
      const change = await resolveCase(payments, tx, case_id, { action, reason });
      const target = `case:${case_id}`;
      return {
        target,
        before: caseJson(change.before),
        after: caseJson(change.after),
        decided: change.after,
      };
    });
    return caseJson(await pursueOrLeaveToWorker(deps, decided));
  });
}

/** Pursues the refund of a case. The refund is already stored: if this call fails, a worker tries again. */
async function pursueOrLeaveToWorker(
  { payments, log }: AdminDeps,
  decided: PaymentCase,
): Promise<PaymentCase> {
  if (decided.refund_status === null) return decided;
  try {
    return await pursueCase(payments, decided);
  } catch (error) {
    log.error(
      { err: error, case_id: decided.case_id },
      'could not pursue the refund of a case; the worker tries again',
    );
    return decided;
  }
}
