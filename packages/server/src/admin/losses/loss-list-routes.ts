import type { FastifyInstance } from 'fastify';
import { merchantNo } from '../../base/ids.ts';
import { type Complaint, selectComplaintPage, selectRefundPage } from '../../payments/losses/index.ts';
import { pageOf, readPageRequest } from '../../base/input/list-page.ts';
import { oneIn } from '../request/decode.ts';
import { listRoutes } from '../../http/list-routes.ts';
import type { AdminDeps } from '../request/deps.ts';
import { exportLimit } from '../../http/export-limit.ts';
import { complaintJson, refundJson } from './loss-json.ts';
import { actorOf, type Listing } from '../request/request.ts';

const ofMerchant = (complaint: Complaint) => ({
  merchant_no: merchantNo(complaint.merchant_id),
  ...complaintJson(complaint),
});

/** The refunds and complaints of all merchants, newest first, narrowed by `status`. */
export function lossListRoutes(app: FastifyInstance, deps: Pick<AdminDeps, 'db' | 'limits'>): void {
  const { db } = deps;

  app.get<Listing>('/refunds', async ({ query }) => {
    const { limit, after } = readPageRequest(query);
    const status = oneIn(query, 'status', ['pending', 'succeeded', 'failed', 'partial']);
    // One that is being asked for is pending to everybody.
    const statuses =
      status === 'pending' ? (['requested', 'pending'] as const) : status === null ? null : [status];
    const refunds = await selectRefundPage(db, statuses, after, limit + 1);
    return pageOf(
      refunds,
      limit,
      ({ refund_id }) => refund_id,
      (refund) => ({ merchant_no: merchantNo(refund.merchant_id), ...refundJson(refund) }),
    );
  });

  const load = async (_request: unknown, query: Listing['Querystring']) => {
    const { limit, after } = readPageRequest(query);
    const status = oneIn(query, 'status', ['open', 'dismissed', 'confirmed', 'closed']);
    const complaints = await selectComplaintPage(db, status, after, limit + 1);
    return pageOf(complaints, limit, ({ complaint_id }) => complaint_id, ofMerchant);
  };
  listRoutes<Listing, ReturnType<typeof ofMerchant>>(app, '/complaints', load, {
    columns: [
      ...(['complaint_id', 'merchant_no', 'order_no', 'source', 'status', 'currency'] as const),
      ...(['loss_amount', 'external_cost', 'reason', 'opened_at', 'decided_at'] as const),
    ],
    admit: exportLimit({ limits: deps.limits, actorOf }),
  });
}
