/** The refund of an order, as a write that may wait for a second person. */
import { AppError, InvariantError } from '../../base/errors.ts';
import type { Queryable } from '../../base/pg/index.ts';
import { isCatalogOrderNo, selectCatalogOrder } from '../../catalog/orders/index.ts';
import { pursueRefund, requestRefund } from '../../payments/refunds/index.ts';
import { type Refund } from '../../payments/losses/index.ts';
import type { GuardedWrite } from '../approvals/index.ts';
import type { AdminDeps } from '../request/deps.ts';
import { money } from '../request/permissions.ts';
import { refundJson } from './loss-json.ts';

interface RefundOfOrder {
  merchant_id: string;
  order_no: string;
  /** Whether a catalog order was delivered when its refund was asked for. */
  delivered?: boolean;
}

/** The request for the refund of an order as it is now. */
export async function refundOf(
  db: Queryable,
  { merchant_id, order_no }: Pick<RefundOfOrder, 'merchant_id' | 'order_no'>,
): Promise<RefundOfOrder> {
  if (!isCatalogOrderNo(order_no)) return { merchant_id, order_no };
  const order = await selectCatalogOrder(db, merchant_id, order_no);
  return { merchant_id, order_no, delivered: order?.state === 'completed' };
}

/**
 * The refund of an order. If the goods were delivered while it waited, it is asked for anew: who asked and who approves believe
 * that the buyer has nothing (D-1381).
 */
export const refundWrite: GuardedWrite<RefundOfOrder> = {
  action: 'order.refund',
  askedBy: money,
  subjectOf: ({ order_no }) => order_no,
  async run(deps, tx, { merchant_id, order_no, delivered }) {
    const { payments } = deps;
    const refund = await requestRefund(payments, tx, merchant_id, order_no);
    // A completed order stays completed when it is refunded.
    if (delivered === false && (await refundOf(tx, { merchant_id, order_no })).delivered === true) {
      throw new AppError('payment_conflict', { description: deliveredMeanwhile });
    }
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

const deliveredMeanwhile =
  'The order was delivered after its refund was asked for. Ask again if it is to be refunded all the same.';

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
