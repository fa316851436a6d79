import { ComplaintRequest, DecisionOnComplaint, RefundRequest } from '@paydesk/contract';
import type { FastifyInstance } from 'fastify';
import type { Queryable } from '../../base/pg/index.ts';
import { selectCatalogOrderByNo } from '../../catalog/orders/index.ts';
import { selectOrderByNo } from '../../collection/orders/index.ts';
import {
  decideComplaint,
  openComplaint,
  pursueRefund,
  type Refund,
  requestRefund,
} from '../../payments/losses/index.ts';
import { audited } from '../../base/audit/index.ts';
import { demandReason } from '../request/decode.ts';
import { reader } from '../../base/input/decode.ts';
import { AppError } from '../../base/errors.ts';
import type { AdminDeps } from '../request/deps.ts';
import { complaintJson, refundJson } from './loss-json.ts';
import { actorOf, type ByComplaint, type ByOrder } from '../request/request.ts';

const readRefund = reader(RefundRequest);
const readComplaint = reader(ComplaintRequest);
const readDecision = reader(DecisionOnComplaint);

/** What takes a payment back: refunds of orders, complaints about them, and the decisions on those. */
export function lossRoutes(app: FastifyInstance, deps: AdminDeps): void {
  orderLossRoutes(app, deps, '/collection-orders', selectOrderByNo);
  orderLossRoutes(app, deps, '/catalog-orders', selectCatalogOrderByNo);

  app.post<ByComplaint>('/complaints/:complaint_id/decision', async (request) => {
    const { reason: given, ...decision } = readDecision(request.body);
    const reason = demandReason(given);
    const act = { actor: actorOf(request), action: 'complaint.decide', reason };
    const { after } = await audited(deps, act, async (tx) => {
      const { complaint_id } = request.params;
      const change = await decideComplaint(deps.payments, tx, complaint_id, decision);
      const target = `complaint:${complaint_id}`;
      return { target, before: complaintJson(change.before), after: complaintJson(change.after) };
    });
    return after;
  });
}

/** Whose an order is, by its number; null where there is none of its kind. */
type FindOrder = (
  db: Queryable,
  order_no: string,
) => Promise<Pick<Refund, 'merchant_id' | 'order_no'> | null>;

/** What takes back the payment of one kind of order. */
function orderLossRoutes(app: FastifyInstance, deps: AdminDeps, base: string, find: FindOrder): void {
  const { db, payments } = deps;
  /** Throws AppError `not_found`. */
  const orderInPath = async (order_no: string) => {
    const order = await find(db, order_no);
    if (order === null) throw new AppError('not_found');
    return order;
  };

  app.post<ByOrder>(`${base}/:order_no/refunds`, async (request, reply) => {
    const reason = demandReason(readRefund(request.body).reason);
    const { merchant_id, order_no } = await orderInPath(request.params.order_no);
    const act = { actor: actorOf(request), action: 'order.refund', reason };
    const { requested } = await audited(deps, act, async (tx) => {
      const refund = await requestRefund(payments, tx, merchant_id, order_no);
      return { target: `order:${order_no}`, before: null, after: refundJson(refund), requested: refund };
    });
    return reply.code(201).send(refundJson(await pursueOrLeaveToWorker(deps, requested)));
  });

  app.post<ByOrder>(`${base}/:order_no/complaints`, async (request, reply) => {
    const reason = demandReason(readComplaint(request.body).reason);
    const { merchant_id, order_no } = await orderInPath(request.params.order_no);
    const act = { actor: actorOf(request), action: 'complaint.open', reason };
    const { after } = await audited(deps, act, async (tx) => {
      const complaint = await openComplaint(payments, tx, merchant_id, order_no, reason);
      return { target: `order:${order_no}`, before: null, after: complaintJson(complaint) };
    });
    return reply.code(201).send(after);
  });
}

/** Pursues a refund. The refund is stored: if this try fails, the caller still gets it, and a worker tries again. */
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
