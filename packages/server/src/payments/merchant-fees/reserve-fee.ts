import type { Tx, Write } from '../../base/pg/index.ts';
import { post } from '../../ledger/books/index.ts';
import type { Attempt } from '../attempts/index.ts';
import type { Quote } from '../quotes/index.ts';
import { type FeeReservation, feeToReserve } from './fee-reservation.ts';
import { splitFee } from './split-fee.ts';
import { reserveFeeEntry } from './fee-entries.ts';
import { insertFeeReservation } from './fee-reservation.sql.ts';
import { fundingUnavailable, lockFeeFunds } from './fee-funds.ts';

/**
 * Reserves the fee of a new attempt (P4a): available PTK first, then credit.
 *
 * Invariant: a merchant never reserves more than its wallet and its credit line hold. The lock on the available balance
 * ensures this; everything that draws or repays credit takes this lock first.
 *
 * @returns the writes to run together with the attempt's; empty if there is no fee
 * @throws AppError `merchant_fee_funding_unavailable` if wallet and credit are too little
 */
export async function reserveFee(
  tx: Tx,
  quote: Quote,
  attempt: Pick<Attempt, 'merchant_id' | 'attempt_id' | 'order_no'>,
  now: Date,
): Promise<Write[]> {
  const fee_ptk = feeToReserve(quote);
  if (fee_ptk === 0n) return [];
  const { merchant_id, attempt_id, order_no } = attempt;
  const parts = splitFee(fee_ptk, await lockFeeFunds(tx, merchant_id));
  if (parts === null) throw fundingUnavailable();
  const reservation: FeeReservation = {
    merchant_id,
    attempt_id,
    order_no,
    state: 'reserved',
    fee_ptk,
    ...parts,
    reserved_at: now,
    released_at: null,
    captured_at: null,
  };
  return [
    ...post([reserveFeeEntry(reservation, quote.test_mode)], now).book,
    insertFeeReservation(reservation),
  ];
}
