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

/** The posting of a release (P3): what the merchant still owes is repaid first, the rest becomes available. */
export function releaseHoldEntry(merchant_id: string, order_no: string, held: bigint, owed: bigint): Entry {
  return {
    merchant_id,
    subject: order_no,
    posting: 'P3',
    transfers: releaseTransfers(merchantHeld(order_no), held, owed),
  };
}

/** Funds that become the merchant's to use, its debt first. */
export function releaseTransfers(from: Account, amount: bigint, owed: bigint): Transfer[] {
  const repaid = minOf(amount, owed);
  return [transfer(from, merchantRecovery(), repaid), transfer(from, merchantAvailable(), amount - repaid)];
}
