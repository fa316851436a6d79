import type { Tx, Write } from '../../base/pg/index.ts';
import { post } from '../../ledger/books/index.ts';
import type { Attempt } from '../attempts/index.ts';
import type { Quote } from '../quotes/index.ts';
import { afterFeeStep, type FeeReservation, feeToReserve } from './fee-reservation.ts';
import { splitFee } from './split-fee.ts';
import { captureFeeEntry, reserveFeeEntry } from './fee-entries.ts';
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
export async function reserveFee(tx: Tx, quote: Quote, attempt: ChargedAttempt, now: Date): Promise<Write[]> {
  const reservation = await newReservation(tx, quote, attempt, now);
  if (reservation === null) return [];
  const entry = reserveFeeEntry(reservation, quote.test_mode);
  return [...post([entry], now).book, insertFeeReservation(reservation)];
}

/**
 * Reserves and captures the fee of an attempt that settles its order now (P4a, P4b). Another attempt of the order may hold a
 * reserved fee meanwhile (D-1162).
 *
 * @returns and throws as `reserveFee`
 */
export async function takeFee(tx: Tx, quote: Quote, attempt: ChargedAttempt, now: Date): Promise<Write[]> {
  const reservation = await newReservation(tx, quote, attempt, now);
  if (reservation === null) return [];
  const { test_mode } = quote;
  const entries = [reserveFeeEntry(reservation, test_mode), captureFeeEntry(reservation, test_mode)];
  return [...post(entries, now).book, insertFeeReservation(afterFeeStep(reservation, 'capture', now))];
}

type ChargedAttempt = Pick<Attempt, 'merchant_id' | 'attempt_id' | 'order_no'>;

/** Null if there is no fee. */
async function newReservation(
  tx: Tx,
  quote: Quote,
  { merchant_id, attempt_id, order_no }: ChargedAttempt,
  reserved_at: Date,
): Promise<FeeReservation | null> {
  const fee_ptk = feeToReserve(quote);
  if (fee_ptk === 0n) return null;
  const parts = splitFee(fee_ptk, await lockFeeFunds(tx, merchant_id));
  if (parts === null) throw fundingUnavailable();
  const ends = { released_at: null, captured_at: null };
  return { merchant_id, attempt_id, order_no, state: 'reserved', fee_ptk, ...parts, reserved_at, ...ends };
}
