/** Keeps what the provider says of a dispute. Call it outside of transactions. */
import type { CardDispute, DisputeNews } from '../../channels/index.ts';
import { selectAttemptByTrade } from '../attempts/index.ts';
import { isPartOfOrder, selectCaseByPayment } from '../cases/index.ts';
import type { PaymentDeps } from '../engine/index.ts';
import { stageOf } from './dispute.ts';
import { upsertDispute } from './dispute.sql.ts';

/**
 * Keeps it for the people who answer disputes. A dispute about a payment that is not known yet is not kept; a later
 * look-up keeps it. It books nothing.
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
  await upsertDispute(db, {
    ...{ merchant_id: of.merchant_id, dispute_id, payment_no, order_no: of.order_no },
    case_id: held?.case_id ?? null,
    test_mode: of.test_mode,
    state: news.state,
    stage: stageOf(dispute),
    reason: news.reason,
    ...{ amount, currency, currency_decimals: of.currency === currency ? of.currency_decimals : null },
    ...{ due_by: news.due_by, submissions: news.submissions, opened_at: news.opened_at, seen_at },
  });
}
