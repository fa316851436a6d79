import type { Tx, Write } from '../../base/pg/index.ts';
import { lockFunds, post } from '../../ledger/books/index.ts';
import type { Attempt } from '../attempts/index.ts';
import { afterFeeStep, type FeeReservation, type FeeStep, feeStep } from './fee-reservation.ts';
import { captureFeeEntry, captureLateFeeEntry, releaseFeeEntry } from './fee-entries.ts';
import { splitReturnedFee, splitOwedFee } from './split-fee.ts';
import { updateFeeReservation } from './fee-reservation.sql.ts';
import { lockFeeFunds } from './fee-funds.ts';

/**
 * Captures, releases or late-captures the reserved fee of an attempt, by the attempt's new state (P4b to P4d). It is
 * released when the outcome is confirmed, not at the deadline (D-071). A payment after the release collects it again,
 * partly as debt if need be (D-072). Call under the order's lock, for every change of an attempt's state.
 *
 * Invariant: a fee is captured at most once, and only for the attempt that settles the order.
 *
 * @param reservation as read under that lock; null if nothing was reserved
 * @param settles whether this attempt settles the order now
 * @returns the writes to run together with the attempt's
 */
export async function settleFee(
  tx: Tx,
  reservation: FeeReservation | null,
  attempt: Pick<Attempt, 'state' | 'test_mode'>,
  settles: boolean,
  now: Date,
): Promise<Write[]> {
  const step = reservation === null ? null : feeStep(reservation.state, attempt, settles);
  if (reservation === null || step === null) return [];
  const entry = await entryForStep(tx, reservation, step, attempt.test_mode);
  return [
    ...post([entry], now).book,
    updateFeeReservation(reservation, afterFeeStep(reservation, step, now)),
  ];
}

async function entryForStep(tx: Tx, reservation: FeeReservation, step: FeeStep, test_mode: boolean) {
  const { merchant_id, fee_ptk } = reservation;
  switch (step) {
    case 'capture':
      return captureFeeEntry(reservation, test_mode);
    case 'release': {
      const { credit_drawn_ptk } = await lockFunds(tx, merchant_id);
      return releaseFeeEntry(reservation, splitReturnedFee(reservation, credit_drawn_ptk), test_mode);
    }
    case 'capture_late':
      return captureLateFeeEntry(
        reservation,
        splitOwedFee(fee_ptk, await lockFeeFunds(tx, merchant_id)),
        test_mode,
      );
  }
}
