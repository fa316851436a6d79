import { ApprovalConsent, ApprovalRejection, approvalStates } from '@paydesk/contract';
import type { FastifyInstance } from 'fastify';
import { AppError } from '../../base/errors.ts';
import { reader } from '../../base/input/decode.ts';
import { parseJson } from '../../base/input/json.ts';
import { pageOf, readPageRequest } from '../../base/input/list-page.ts';
import { ptkText } from '../../base/money.ts';
import { exportLimit } from '../../http/lists/export-limit.ts';
import { listRoutes } from '../../http/lists/list-routes.ts';
import { demandReason, oneIn } from '../request/decode.ts';
import type { AdminDeps } from '../request/deps.ts';
import { actorOf, type ByApproval, type Listing } from '../request/request.ts';
import { approvalJson } from './approval.ts';
import { selectApproval, selectApprovals } from './approval.sql.ts';
import { approve, reject } from './decide-approval.ts';
import type { GuardedWrite } from './guarded-write.ts';

const readConsent = reader(ApprovalConsent);
const readRejection = reader(ApprovalRejection);

/**
 * Writes that wait for a second person: the list, newest first, filtered by `status`; one of them; and the decision.
 *
 * @param writes every write that can wait
 */
export function approvalRoutes(app: FastifyInstance, deps: AdminDeps, writes: readonly GuardedWrite[]): void {
  const { db } = deps;

  const load = async (_request: unknown, query: Listing['Querystring']) => {
    const { limit, after } = readPageRequest(query);
    const status = oneIn(query, 'status', approvalStates);
    const found = await selectApprovals(db, { status, before: after, limit: limit + 1 });
    return pageOf(found, limit, ({ approval_id }) => approval_id, approvalJson);
  };
  listRoutes<Listing, ReturnType<typeof approvalJson>>(app, '/approvals', load, {
    columns: [
      ...(['approval_id', 'status', 'action', 'target'] as const),
      ['amount', ({ amount_ptk }) => (amount_ptk === null ? null : ptkText(amount_ptk))],
      ...(['reason', 'asked_by', 'asked_at', 'decided_by', 'decided_at', 'decision_reason'] as const),
    ],
    admit: exportLimit({ ...deps, actorOf }),
  });

  app.get<ByApproval>('/approvals/:approval_id', async ({ params }) => {
    const known = await selectApproval(db, params.approval_id);
    if (known === null) throw new AppError('not_found');
    return approvalJson(known);
  });

  app.post<ByApproval>('/approvals/:approval_id/approve', { config: { body: 'raw' } }, async (request) => {
    const by = { actor: actorOf(request), reason: readReason(request.body as Buffer) };
    const { approval, result } = await approve(deps, writes, request.params.approval_id, by);
    return { ...approvalJson(approval), result };
  });

  app.post<ByApproval>('/approvals/:approval_id/reject', async (request) => {
    const reason = demandReason(readRejection(request.body).reason);
    return approvalJson(await reject(deps, request.params.approval_id, { actor: actorOf(request), reason }));
  });
}

/** The reason of an approval is optional, and so is the body. */
function readReason(body: Buffer): string | null {
  const reason = body.length === 0 ? '' : (readConsent(parseJson(body)).reason?.trim() ?? '');
  return reason === '' ? null : reason;
}
