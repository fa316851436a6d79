/** The refund of an order, as a write that may wait for a second person. */
import { InvariantError } from '../../base/errors.ts';
import { pursueRefund, requestRefund } from '../../payments/refunds/index.ts';
import { type Refund } from '../../payments/losses/index.ts';
import type { GuardedWrite } from '../approvals/index.ts';
import type { AdminDeps } from '../request/deps.ts';
import { money } from '../request/permissions.ts';
import { type OfGoods, refuseIfDelivered } from './delivered-meanwhile.ts';
import { refundJson } from './loss-json.ts';

interface RefundAsked extends OfGoods {
  merchant_id: string;
  order_no: string;
}

export const refundWrite: GuardedWrite<RefundAsked> = {
  action: 'order.refund',
  askedBy: money,
  subjectOf: ({ order_no }) => order_no,
  async run(deps, tx, { merchant_id, order_no, delivered }) {
    const { payments } = deps;
    const refund = await requestRefund(payments, tx, merchant_id, order_no);
    await refuseIfDelivered(tx, { delivered }, { merchant_id, order_no });
    // The order is locked already.
    const order = await payments.kindOf(order_no).lock(tx, merchant_id, order_no);
    if (order === null) throw new InvariantError('a refunded order is gone');
    return {
      target: `order:${order_no}`,
      before: null,
      after: refundJson(refund),
      amount_ptk: order.gross_settlement_ptk,
      follow: async () => refundJson(await pursueOrLeaveToWorker(deps, refund)),
    };
  },
};

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
