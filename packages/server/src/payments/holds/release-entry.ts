/** The postings that release held proceeds to the merchant (P3). */
import {
  type Account,
  type Entry,
  type HeldFunds,
  merchantAvailable,
  merchantHeld,
  merchantRecovery,
  type Transfer,
  transfer,
} from '../../ledger/books/index.ts';
import { minOf } from '../../base/money.ts';

/** Releases held proceeds (P3, D-073): the merchant's debt is repaid first, the rest becomes available. */
function releaseHoldEntry(merchant_id: string, order_no: string, held: bigint, owed: bigint): Entry {
  return {
    merchant_id,
    subject: order_no,
    posting: 'P3',
    transfers: releaseTransfers(merchantHeld(order_no), held, owed),
  };
}

/**
 * The releases of several orders, as if one followed the other: the first repay the debt, until nothing is owed (D-667).
 *
 * @param order_nos in the order of their release
 */
export function releaseEntries(
  merchant_id: string,
  order_nos: readonly string[],
  { held, recovery }: HeldFunds,
): Entry[] {
  let owed = recovery;
  return order_nos.map((order_no) => {
    const amount = held.get(order_no) ?? 0n;
    const entry = releaseHoldEntry(merchant_id, order_no, amount, owed);
    owed -= minOf(amount, owed);
    return entry;
  });
}

/** Moves funds to the merchant: repays its debt first, the rest becomes available. */
export function releaseTransfers(from: Account, amount: bigint, owed: bigint): Transfer[] {
  const repaid = minOf(amount, owed);
  return [transfer(from, merchantRecovery(), repaid), transfer(from, merchantAvailable(), amount - repaid)];
}
