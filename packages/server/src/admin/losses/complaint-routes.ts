import { ComplaintRequest, DecisionOnComplaint } from '@paydesk/contract';
import type { FastifyInstance } from 'fastify';
import { merchantNo } from '../../base/ids.ts';
import { reader } from '../../base/input/decode.ts';
import { pageOf, readPageRequest } from '../../base/input/list-page.ts';
import { exportLimit } from '../../http/lists/export-limit.ts';
import { listRoutes } from '../../http/lists/list-routes.ts';
import { type Complaint, selectComplaintById, selectComplaintPage } from '../../payments/losses/index.ts';
import { openComplaint } from '../../payments/complaints/index.ts';
import { answerOf, answerOutcome, runAsStaff, runOrAsk } from '../approvals/index.ts';
import { demandReason, oneIn } from '../request/decode.ts';
import type { AdminDeps } from '../request/deps.ts';
import { money } from '../request/permissions.ts';
import { actorOf, type ByComplaint, type ByOrder, type Listing } from '../request/request.ts';
import { complaintWrite } from './complaint-write.ts';
import { goodsOf } from './delivered-meanwhile.ts';
import { complaintJson } from './loss-json.ts';
import { findTests, orderInPath, orderKinds } from './order-in-path.ts';

const readComplaint = reader(ComplaintRequest);
const readDecision = reader(DecisionOnComplaint);

/**
 * Complaints: opening one about an order, deciding it, and the list for all merchants, newest first, filtered by
 * `status`.
 */
export function complaintRoutes(app: FastifyInstance, deps: AdminDeps): void {
  const { db, payments } = deps;

  for (const kind of orderKinds) {
    app.post<ByOrder>(`${kind.path}/:order_no/complaints`, async (request, reply) => {
      const reason = demandReason(readComplaint(request.body).reason);
      const { merchant_id, order_no } = await orderInPath(db, kind, request.params.order_no);
      const act = { actor: actorOf(request), action: 'complaint.open', reason };
      const { after } = await runAsStaff(deps, act, money, async (tx) => {
        const complaint = await openComplaint(payments, tx, merchant_id, order_no, reason);
        return { target: `order:${order_no}`, before: null, after: complaintJson(complaint) };
      });
      return reply.code(201).send(after);
    });
  }

  app.post<ByComplaint>('/complaints/:complaint_id/decision', async (request, reply) => {
    const { reason: given, ...decision } = readDecision(request.body);
    const by = { actor: actorOf(request), reason: demandReason(given) };
    const { complaint_id } = request.params;
    const known = decision.decision === 'confirm' ? await selectComplaintById(db, complaint_id) : null;
    const goods = known === null ? {} : await goodsOf(db, known);
    const outcome = await runOrAsk(deps, complaintWrite, { complaint_id, ...decision, ...goods }, by);
    return answerOutcome(reply, outcome, async (written) => reply.send(await answerOf(written)));
  });

  const load = async (_request: unknown, query: Listing['Querystring']) => {
    const { limit, after } = readPageRequest(query);
    const status = oneIn(query, 'status', ['open', 'dismissed', 'confirmed', 'closed']);
    const complaints = await selectComplaintPage(db, status, after, limit + 1);
    const tests = await findTests(db, complaints);
    return pageOf(
      complaints,
      limit,
      ({ complaint_id }) => complaint_id,
      (complaint) => listedJson(complaint, tests),
    );
  };
  listRoutes<Listing, ReturnType<typeof listedJson>>(app, '/complaints', load, {
    columns: [
      ...(['complaint_id', 'merchant_no', 'order_no', 'source', 'status', 'currency'] as const),
      ...(['loss_amount', 'external_cost', 'reason', 'opened_at', 'decided_at', 'test_mode'] as const),
    ],
    admit: exportLimit({ ...deps, actorOf }),
  });
}

/** @param tests the orders that a test has paid */
const listedJson = (complaint: Complaint, tests: ReadonlySet<string>) => ({
  merchant_no: merchantNo(complaint.merchant_id),
  ...complaintJson(complaint),
  test_mode: tests.has(complaint.order_no),
});
