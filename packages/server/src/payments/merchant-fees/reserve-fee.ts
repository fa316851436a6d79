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
 * Reserves the fee of an attempt that is about to begin (P4a): available PTK first, then credit. Takes the
 * lock on the merchant's available balance, which everything that draws or repays credit takes first.
 *
 * @returns what to write together with the attempt; nothing where there is no fee to raise
 * @throws AppError `merchant_fee_funding_unavailable` where the fee cannot be raised
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
