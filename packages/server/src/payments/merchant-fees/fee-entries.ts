import {
  type Entry,
  merchantAvailable,
  merchantCreditDrawn,
  merchantFeeIncome,
  merchantFeeReserved,
  merchantRecovery,
  transfer,
} from '../../ledger/books/index.ts';
import type { FeeReservation } from './fee-reservation.ts';
import type { FeeParts } from './split-fee.ts';

/** What all postings of one reservation share; attempts of one order are told apart by the case. */
const entryOf = ({ merchant_id, order_no, attempt_id }: FeeReservation, test_mode: boolean) => ({
  merchant_id,
  subject: order_no,
  case_key: attempt_id,
  test_mode,
});

/** P4a: the fee is set aside. */
export function reserveFeeEntry(reservation: FeeReservation, test_mode: boolean): Entry {
  const { order_no, available_ptk, credit_ptk } = reservation;
  const reserved = merchantFeeReserved(order_no);
  return {
    ...entryOf(reservation, test_mode),
    posting: 'P4a',
    transfers: [
      transfer(merchantAvailable(), reserved, available_ptk),
      transfer(merchantCreditDrawn(), reserved, credit_ptk),
    ],
  };
}

/** P4b: the order is paid, and the fee is the platform's. */
export function captureFeeEntry(reservation: FeeReservation, test_mode: boolean): Entry {
  const { order_no, fee_ptk } = reservation;
  return {
    ...entryOf(reservation, test_mode),
    posting: 'P4b',
    transfers: [transfer(merchantFeeReserved(order_no), merchantFeeIncome(), fee_ptk)],
  };
}

/** P4c: nothing was paid, and the fee goes back. */
export function releaseFeeEntry(reservation: FeeReservation, back: FeeParts, test_mode: boolean): Entry {
  const reserved = merchantFeeReserved(reservation.order_no);
  return {
    ...entryOf(reservation, test_mode),
    posting: 'P4c',
    transfers: [
      transfer(reserved, merchantAvailable(), back.available_ptk),
      transfer(reserved, merchantCreditDrawn(), back.credit_ptk),
    ],
  };
}

/** P4d: the order was paid after all, and the fee is taken again from wherever it can be had. */
export function captureLateFeeEntry(
  reservation: FeeReservation,
  parts: FeeParts & { recovery_ptk: bigint },
  test_mode: boolean,
): Entry {
  const income = merchantFeeIncome();
  return {
    ...entryOf(reservation, test_mode),
    posting: 'P4d',
    transfers: [
      transfer(merchantAvailable(), income, parts.available_ptk),
      transfer(merchantCreditDrawn(), income, parts.credit_ptk),
      transfer(merchantRecovery(), income, parts.recovery_ptk),
    ],
  };
}
