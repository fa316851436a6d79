/** Compares a session of the provider with the payments that settled orders here. */
import { later, minutes } from '../../base/time/clock.ts';
import { type CardSession, tradeNo } from '../../channels/card/index.ts';
import type { Channel } from '../../channels/index.ts';
import { isPaid, selectAttempt, selectAttemptByTrade } from '../attempts/index.ts';
import { readPaidAt } from '../card/index.ts';
import { isBookedElsewhere, type PaymentCase, selectCaseByPayment } from '../cases/index.ts';
import type { PaymentDeps } from '../engine/index.ts';
import { countsAsMoney } from '../settling/index.ts';
import { isOurSession } from '../unmatched/index.ts';
import type { Difference, Found } from './difference.ts';
import type { RunBy } from './reconciliation.sql.ts';

/** A payment of the last minutes can still be under way to us: a nightly run does not report it. */
const underWay_ms = minutes(5);

/** A paid session that settled nothing here and that no case holds, or with another amount than its attempt. */
export async function comparePayment(
  deps: PaymentDeps,
  channel: Channel,
  session: CardSession,
  run_by: RunBy,
): Promise<Found> {
  if (!session.paid || !isOurSession(channel, session) || !countsAsMoney(session)) return null;
  const { payment_no } = channel;
  const payment_id = tradeNo(session);
  const [attempt, held] = await Promise.all([
    selectAttemptByTrade(deps.db, payment_no, payment_id),
    selectCaseByPayment(deps.db, payment_no, payment_id),
  ]);
  // Two of the platform's channels share the account, and the other one holds the payment.
  if (channel.merchant_id === null && (await isBookedElsewhere(deps.db, payment_no, payment_id))) return null;
  if (held !== null && !(run_by === 'after-restore' && isOpenReceipt(held))) return null;
  const found = paymentDifference(channel, session);
  if (attempt !== null && isPaid(attempt)) {
    const isSame = attempt.amount === session.amount && attempt.currency === session.currency;
    return isSame ? null : { ...found, kind: 'amount_differs' };
  }
  if (await isOfOtherChannel(deps, channel, session)) return null;
  if (run_by === 'worker') {
    const paid_at = await readPaidAt(deps, channel, session);
    if (paid_at === null) return { failure: 'the payment could not be read' };
    if (paid_at > later(deps.clock.real(), -underWay_ms)) return null;
  }
  return found;
}

/** An order that was missing may be there by now, or what kept it from using the payment may be mended. */
const isOpenReceipt = ({ kind, state, refund_status }: PaymentCase): boolean =>
  kind === 'unmatched_receipt' && state === 'open' && refund_status === null;

/** Two channels of one account list each other's sessions. */
async function isOfOtherChannel(
  { db }: PaymentDeps,
  { payment_no }: Channel,
  { merchant_id, reference }: CardSession,
): Promise<boolean> {
  if (merchant_id === null || reference === null || !uuid.test(merchant_id)) return false;
  const attempt = await selectAttempt(db, merchant_id, reference);
  return attempt !== null && attempt.payment_no !== payment_no;
}

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

const paymentDifference = ({ payment_no }: Channel, session: CardSession): Difference => ({
  kind: 'payment_missing_here',
  payment_no,
  session_id: session.id,
  provider_payment_id: tradeNo(session),
  provider_id: null,
  attempt_id: session.reference,
  order_no: session.order_no,
  merchant_id: session.merchant_id,
  amount_minor: session.amount?.toString() ?? null,
  currency: session.currency,
});
