import type { Tx, Write } from '../../base/pg/index.ts';
import { lockFunds, post } from '../../ledger/books/index.ts';
import type { Attempt } from '../attempts/index.ts';
import { afterStep, type FeeReservation, type FeeStep, feeStep } from './fee-reservation.ts';
import { captureEntry, lateEntry, releaseEntry } from './fee-entries.ts';
import { giveBack, raiseInAnyCase } from './split-fee.ts';
import { updateFeeReservation } from './fee-reservation.sql.ts';
import { lockFeeFunds } from './fee-funds.ts';

/**
 * What follows for a reserved fee from where its attempt stands now: taken, given back, or taken late (P4b to P4d).
 * Call under the order's lock, for every change of an attempt's state.
 *
 * @param reservation as read under that lock; null where nothing was reserved
 * @param settles whether this attempt makes its order paid now
 */
export async function followFee(
  tx: Tx,
  reservation: FeeReservation | null,
  attempt: Pick<Attempt, 'state' | 'test_mode'>,
  settles: boolean,
  now: Date,
): Promise<Write[]> {
  const step = reservation === null ? null : feeStep(reservation.state, attempt, settles);
  if (reservation === null || step === null) return [];
  const entry = await entryFor(tx, reservation, step, attempt.test_mode);
  return [...post([entry], now).book, updateFeeReservation(reservation, afterStep(reservation, step, now))];
}

async function entryFor(tx: Tx, reservation: FeeReservation, step: FeeStep, test_mode: boolean) {
  const { merchant_id, fee_ptk } = reservation;
  switch (step) {
    case 'capture':
      return captureEntry(reservation, test_mode);
    case 'release': {
      const { credit_drawn_ptk } = await lockFunds(tx, merchant_id);
      return releaseEntry(reservation, giveBack(reservation, credit_drawn_ptk), test_mode);
    }
    case 'capture_late':
      return lateEntry(reservation, raiseInAnyCase(fee_ptk, await lockFeeFunds(tx, merchant_id)), test_mode);
  }
}
