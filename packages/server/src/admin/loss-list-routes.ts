import type { FastifyInstance } from 'fastify';
import { merchantNo } from '../base/ids.ts';
import { listComplaints, listRefunds } from '../payments/read-losses.ts';
import { oneIn } from './decode.ts';
import type { AdminDeps } from './deps.ts';
import { complaintJson, refundJson } from './loss-json.ts';
import { pageOf, readPageRequest } from './page.ts';
import type { Listing } from './request.ts';

/** The refunds and complaints of all merchants, newest first, narrowed by `status`. */
export function lossListRoutes(app: FastifyInstance, { db }: Pick<AdminDeps, 'db'>): void {
  app.get<Listing>('/refunds', async ({ query }) => {
    const { limit, after } = readPageRequest(query);
    const status = oneIn(query, 'status', ['pending', 'succeeded', 'failed', 'partial']);
    // One that is being asked for is pending to everybody.
    const statuses =
      status === 'pending' ? (['requested', 'pending'] as const) : status === null ? null : [status];
    const refunds = await listRefunds(db, statuses, after, limit + 1);
    return pageOf(
      refunds,
      limit,
      ({ refund_id }) => refund_id,
      (refund) => ({ merchant_no: merchantNo(refund.merchant_id), ...refundJson(refund) }),
    );
  });

  app.get<Listing>('/complaints', async ({ query }) => {
    const { limit, after } = readPageRequest(query);
    const status = oneIn(query, 'status', ['open', 'dismissed', 'confirmed', 'closed']);
    const complaints = await listComplaints(db, status, after, limit + 1);
    return pageOf(
      complaints,
      limit,
      ({ complaint_id }) => complaint_id,
      (complaint) => ({ merchant_no: merchantNo(complaint.merchant_id), ...complaintJson(complaint) }),
    );
  });
}
