/** The posting that releases held proceeds to the merchant (P3). */
import {
  type Account,
  type Entry,
  merchantAvailable,
  merchantHeld,
  merchantRecovery,
  type Transfer,
  transfer,
} from '../../ledger/books/index.ts';
import { minOf } from '../../base/money.ts';

/** Releases held proceeds (P3, D-073): the merchant's debt is repaid first, the rest becomes available. */
export function releaseHoldEntry(merchant_id: string, order_no: string, held: bigint, owed: bigint): Entry {
  return {
    merchant_id,
    subject: order_no,
    posting: 'P3',
    transfers: releaseTransfers(merchantHeld(order_no), held, owed),
  };
}

/** Moves funds to the merchant: repays its debt first, the rest becomes available. */
export function releaseTransfers(from: Account, amount: bigint, owed: bigint): Transfer[] {
  const repaid = minOf(amount, owed);
  return [transfer(from, merchantRecovery(), repaid), transfer(from, merchantAvailable(), amount - repaid)];
}
