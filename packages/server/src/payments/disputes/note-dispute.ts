/** Keeps what the provider says of a dispute. Call it outside of transactions. */
import type { CardDispute, DisputeNews } from '../../channels/card/index.ts';
import { platformBook } from '../../base/ids.ts';
import { selectAttemptByTrade } from '../attempts/index.ts';
import { isPartOfOrder, selectCaseByPayment } from '../cases/index.ts';
import type { PaymentDeps } from '../engine/index.ts';
import { giveUpDispute } from '../losses/index.ts';
import { type Dispute, stageOf } from './dispute.ts';
import { deleteUnmatchedDispute, lockDispute, upsertDispute } from './dispute.sql.ts';

/**
 * Keeps it for the people who answer disputes. A dispute about a payment that is not known yet is not kept; a later
 * look-up keeps it. It books nothing. If the provider has opened it again after its end, the complaint that had ended with
 * it gives it up: the dispute then freezes the funds as a new one does (D-901).
 *
 * @param seen_at before the provider was asked
 */
export async function noteDispute(
  { db }: Pick<PaymentDeps, 'db'>,
  payment_no: string,
  dispute: CardDispute & { news: DisputeNews },
  seen_at: Date,
): Promise<void> {
  const { id: dispute_id, payment_id, amount, currency, news } = dispute;
  if (payment_id === null) return;
  const [attempt, holding] = await Promise.all([
    selectAttemptByTrade(db, payment_no, payment_id),
    selectCaseByPayment(db, payment_no, payment_id),
  ]);
  // A receipt that paid an order is the order's.
  const held = attempt !== null && holding !== null && isPartOfOrder(holding) ? null : holding;
  const of = attempt ?? held;
  if (of === null) return;
  const seen: Dispute = {
    ...{ merchant_id: of.merchant_id, dispute_id, payment_no, order_no: of.order_no },
    case_id: held?.case_id ?? null,
    test_mode: of.test_mode,
    state: news.state,
    stage: stageOf(dispute),
    reason: news.reason,
    ...{ amount, currency, currency_decimals: of.currency === currency ? of.currency_decimals : null },
    ...{ due_by: news.due_by, submissions: news.submissions, opened_at: news.opened_at, seen_at },
  };
  await db.transaction(async (tx) => {
    const before = await lockDispute(tx, seen);
    if (before?.stage === 'ended' && seen.stage !== 'ended' && before.seen_at <= seen_at)
      await giveUpDispute(tx, seen);
    await upsertDispute(tx, seen);
    if (seen.merchant_id !== platformBook) await deleteUnmatchedDispute(tx, dispute_id);
  });
}
