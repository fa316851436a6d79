import { RefundRequest } from '@paydesk/contract';
import type { FastifyInstance } from 'fastify';
import { merchantNo } from '../../base/ids.ts';
import { reader } from '../../base/input/decode.ts';
import { pageOf, readPageRequest } from '../../base/input/list-page.ts';
import { exportLimit } from '../../http/lists/export-limit.ts';
import { listRoutes } from '../../http/lists/list-routes.ts';
import { type Refund, selectRefundPage } from '../../payments/losses/index.ts';
import { answerOf, answerOutcome, runOrAsk } from '../approvals/index.ts';
import { demandReason, oneIn } from '../request/decode.ts';
import type { AdminDeps } from '../request/deps.ts';
import { actorOf, type ByOrder, type Listing } from '../request/request.ts';
import { goodsOf } from './delivered-meanwhile.ts';
import { refundJson } from './loss-json.ts';
import { findTests, orderInPath, orderKinds } from './order-in-path.ts';
import { refundWrite } from './refund-write.ts';

const readRefund = reader(RefundRequest);

/** Refunds: requesting one for an order, and the list for all merchants, newest first, filtered by `status`. */
export function refundRoutes(app: FastifyInstance, deps: AdminDeps): void {
  const { db } = deps;

  for (const kind of orderKinds) {
    app.post<ByOrder>(`${kind.path}/:order_no/refunds`, async (request, reply) => {
      const reason = demandReason(readRefund(request.body).reason);
      const order = await orderInPath(db, kind, request.params.order_no);
      const { merchant_id, order_no } = order;
      const wanted = { merchant_id, order_no, ...(await goodsOf(db, order)) };
      const outcome = await runOrAsk(deps, refundWrite, wanted, { actor: actorOf(request), reason });
      return answerOutcome(reply, outcome, async (written) => reply.code(201).send(await answerOf(written)));
    });
  }

  const load = async (_request: unknown, query: Listing['Querystring']) => {
    const { limit, after } = readPageRequest(query);
    const status = oneIn(query, 'status', ['pending', 'succeeded', 'failed', 'partial']);
    // The API shows a refund that is not sent to the provider yet as pending.
    const statuses =
      status === 'pending' ? (['requested', 'pending'] as const) : status === null ? null : [status];
    const refunds = await selectRefundPage(db, statuses, after, limit + 1);
    const tests = await findTests(db, refunds);
    return pageOf(
      refunds,
      limit,
      ({ refund_id }) => refund_id,
      (refund) => listedJson(refund, tests),
    );
  };
  listRoutes<Listing, ReturnType<typeof listedJson>>(app, '/refunds', load, {
    columns: [
      ...(['refund_id', 'merchant_no', 'order_no', 'status', 'amount', 'currency'] as const),
      ...(['provider_refund_id', 'requested_at', 'ended_at', 'test_mode'] as const),
    ],
    admit: exportLimit({ ...deps, actorOf }),
  });
}

/** @param tests the orders that a test has paid */
const listedJson = (refund: Refund, tests: ReadonlySet<string>) => ({
  merchant_no: merchantNo(refund.merchant_id),
  ...refundJson(refund),
  test_mode: tests.has(refund.order_no),
});
