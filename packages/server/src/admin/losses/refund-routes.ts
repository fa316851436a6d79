import { RefundRequest } from '@paydesk/contract';
import type { FastifyInstance } from 'fastify';
import { runAudited } from '../../base/audit/index.ts';
import { merchantNo } from '../../base/ids.ts';
import { reader } from '../../base/input/decode.ts';
import { pageOf, readPageRequest } from '../../base/input/list-page.ts';
import { pursueRefund, type Refund, requestRefund, selectRefundPage } from '../../payments/losses/index.ts';
import { demandReason, oneIn } from '../request/decode.ts';
import type { AdminDeps } from '../request/deps.ts';
import { actorOf, type ByOrder, type Listing } from '../request/request.ts';
import { refundJson } from './loss-json.ts';
import { orderInPath, orderKinds } from './order-in-path.ts';

const readRefund = reader(RefundRequest);

/** Refunds: requesting one for an order, and the list for all merchants, newest first, filtered by `status`. */
export function refundRoutes(app: FastifyInstance, deps: AdminDeps): void {
  const { db, payments } = deps;

  for (const kind of orderKinds) {
    app.post<ByOrder>(`${kind.path}/:order_no/refunds`, async (request, reply) => {
      const reason = demandReason(readRefund(request.body).reason);
      const { merchant_id, order_no } = await orderInPath(db, kind, request.params.order_no);
      const act = { actor: actorOf(request), action: 'order.refund', reason };
      const { requested } = await runAudited(deps, act, async (tx) => {
        const refund = await requestRefund(payments, tx, merchant_id, order_no);
        return { target: `order:${order_no}`, before: null, after: refundJson(refund), requested: refund };
      });
      return reply.code(201).send(refundJson(await pursueOrLeaveToWorker(deps, requested)));
    });
  }

  app.get<Listing>('/refunds', async ({ query }) => {
    const { limit, after } = readPageRequest(query);
    const status = oneIn(query, 'status', ['pending', 'succeeded', 'failed', 'partial']);
    // The API shows a refund that is not sent to the provider yet as pending.
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
}

/** Pursues a refund. The refund is already stored: if this call fails, a worker tries again. */
async function pursueOrLeaveToWorker({ payments, log }: AdminDeps, refund: Refund): Promise<Refund> {
  try {
    return await pursueRefund(payments, refund);
  } catch (error) {
    log.error(
      { err: error, refund_id: refund.refund_id },
      'could not pursue a refund; the worker tries again',
    );
    return refund;
  }
}
