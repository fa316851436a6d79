import { rfc3339, rfc3339OrNull } from '../../base/time/clock.ts';
import { ptk } from '../../base/money.ts';
import { selectArchivePlace } from '../../collection/archiving/index.ts';
import { timelineOf } from '../../collection/history/index.ts';
import { snapshotOf } from '../../collection/orders/index.ts';
import { readOrder } from '../../collection/reading/index.ts';
import { addUp, type TotalName, compareTransfers } from '../../ledger/explanation/index.ts';
import { type TransferRow, readTransfers } from '../../ledger/books/index.ts';
import { listAllDeliveries } from '../../notifications/delivery-records/index.ts';
import { selectAttempts } from '../../payments/attempts/index.ts';
import { selectQuotes } from '../../payments/quotes/index.ts';
import { type Hold, selectHold } from '../../payments/holds/index.ts';
import { complaintJson, refundJson, selectComplaints, selectRefunds } from '../../payments/losses/index.ts';
import type { ConsoleDeps } from '../request/deps.ts';
import { attemptJson, quoteJson, wholeOrderJson } from './order-json.ts';

import { isOwn, walletLine } from '../wallet/wallet-line.ts';

const mostNotifications = 100;

/**
 * One order of a merchant with its history. If its deadline has passed, the order is moved first. It shows only
 * the transfers on the merchant's own accounts, not the platform's.
 *
 * @throws AppError `payment_not_found`, also for another merchant's order
 */
export async function consoleOrderDetail(
  deps: Pick<ConsoleDeps, 'db' | 'clock' | 'ids' | 'log'>,
  merchant_id: string,
  order_no: string,
) {
  const { db } = deps;
  const order = await readOrder(deps, merchant_id, order_no);
  const [quotes, attempts, transfers, hold, refunds, complaints, notifications, archived] = await Promise.all(
    [
      selectQuotes(db, merchant_id, order_no),
      selectAttempts(db, merchant_id, order_no),
      readTransfers(db, merchant_id, order_no),
      selectHold(db, merchant_id, order_no),
      selectRefunds(db, merchant_id, order_no),
      selectComplaints(db, merchant_id, order_no),
      listAllDeliveries(db, snapshotOf(order), mostNotifications),
      selectArchivePlace(db, order),
    ],
  );
  return {
    order: wholeOrderJson(order),
    timeline: timelineOf({ order, attempts, transfers, hold, refunds, complaints, notifications, archived }),
    quotes: quotes.map((quote) => quoteJson(quote, order.payment_no)),
    attempts: attempts.map(attemptJson),
    money: moneyJson(transfers, hold, order.test_mode),
    refunds: refunds.map(refundJson),
    complaints: complaints.map(complaintJson),
    notifications,
  };
}

/** The sums of the merchant's own accounts. */
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

function moneyJson(transfers: readonly TransferRow[], hold: Hold | null, isTest: boolean) {
  const lines = [...transfers].sort(compareTransfers);
  const totals = addUp(lines).filter(({ name, currency }) => ownTotals.includes(name) && currency === ptk);
  return {
    hold:
      hold === null
        ? null
        : {
            release_at: rfc3339(hold.release_at),
            released_at: rfc3339OrNull(hold.released_at),
          },
    lines: lines.filter(isOwn).map((line) => walletLine(line, isTest)),
    totals: totals.map(({ name, about, amount }) => ({ total: name, about, amount_ptk: amount.toString() })),
  };
}
