import { rfc3339 } from '../../base/time/clock.ts';
import { ptk } from '../../base/money.ts';
import { readOrder } from '../../collection/reading/read-orders.ts';
import { addUp, type TotalName } from '../../ledger/verification/add-up.ts';
import { sequenceOf } from '../../ledger/verification/explain.ts';
import { type TransferRow, transfersOf } from '../../ledger/books/read-balances.ts';
import { listDeliveries } from '../../notifications/records/records.ts';
import { readAttempts, readQuotes } from '../../payments/read-attempts.ts';
import { type Hold, readHold } from '../../payments/read-hold.ts';
import { readComplaints, readRefunds } from '../../payments/read-losses.ts';
import type { ConsoleDeps } from '../request/deps.ts';
import { attemptJson, complaintJson, quoteJson, refundJson, wholeOrderJson } from './order-json.ts';
import { timelineOf } from './timeline.ts';
import { isOwn, walletLine } from '../money/wallet-line.ts';

const mostNotifications = 100;

/**
 * One order of a merchant with all that has happened to it, moved on first where its deadline has passed. Of the books
 * it shows what moved on the merchant's own accounts, and nothing of the platform's.
 *
 * @throws AppError `payment_not_found`, for another merchant's order as well
 */
export async function consoleOrderDetail(
  deps: Pick<ConsoleDeps, 'db' | 'clock' | 'ids' | 'log'>,
  merchant_id: string,
  order_no: string,
) {
  const { db } = deps;
  const order = await readOrder(deps, merchant_id, order_no);
  const [quotes, attempts, transfers, hold, refunds, complaints, notifications] = await Promise.all([
    readQuotes(db, merchant_id, order_no),
    readAttempts(db, merchant_id, order_no),
    transfersOf(db, merchant_id, order_no),
    readHold(db, merchant_id, order_no),
    readRefunds(db, merchant_id, order_no),
    readComplaints(db, merchant_id, order_no),
    listDeliveries(db, merchant_id, order_no, mostNotifications),
  ]);
  return {
    order: wholeOrderJson(order),
    timeline: timelineOf({ order, attempts, transfers, hold, refunds, complaints, notifications }),
    quotes: quotes.map((quote) => quoteJson(quote, order.payment_no)),
    attempts: attempts.map(attemptJson),
    money: moneyJson(transfers, hold),
    refunds: refunds.map(refundJson),
    complaints: complaints.map(complaintJson),
    notifications,
  };
}

/** The sums that are about the merchant's own accounts. */
const ownTotals: readonly TotalName[] = [
  'merchant_net',
  'held',
  'frozen',
  'released',
  'kept_for_debt',
  'fee_reserved',
  'credit_drawn',
  'fee_owed',
  'loss_from_order',
  'loss_from_guarantee',
  'loss_from_available',
  'loss_owed',
];

function moneyJson(transfers: readonly TransferRow[], hold: Hold | null) {
  const lines = [...transfers].sort(inOrder);
  const totals = addUp(lines).filter(({ name, currency }) => ownTotals.includes(name) && currency === ptk);
  return {
    hold:
      hold === null
        ? null
        : {
            release_at: rfc3339(hold.release_at),
            released_at: hold.released_at === null ? null : rfc3339(hold.released_at),
          },
    lines: lines.filter(isOwn).map(walletLine),
    totals: totals.map(({ name, about, amount }) => ({ total: name, about, amount_ptk: amount.toString() })),
  };
}

const inOrder = (a: TransferRow, b: TransferRow): number =>
  a.at.getTime() - b.at.getTime() ||
  sequenceOf(a.posting) - sequenceOf(b.posting) ||
  a.case_key.localeCompare(b.case_key) ||
  a.leg - b.leg;
