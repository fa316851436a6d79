/** The postings of a reserved fee (P4a to P4d). */
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

/** Common to the postings of one reservation. The case key tells the attempts of one order apart. */
const entryOf = ({ merchant_id, order_no, attempt_id }: FeeReservation, test_mode: boolean) => ({
  merchant_id,
  subject: order_no,
  case_key: attempt_id,
  test_mode,
});

/** P4a: reserves the fee. What is drawn on credit is a receivable (D-070). */
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

/** P4b: captures the reserved fee after the order was paid. */
export function captureFeeEntry(reservation: FeeReservation, test_mode: boolean): Entry {
  const { order_no, fee_ptk } = reservation;
  return {
    ...entryOf(reservation, test_mode),
    posting: 'P4b',
    transfers: [transfer(merchantFeeReserved(order_no), merchantFeeIncome(), fee_ptk)],
  };
}

/** P4c: releases the reserved fee, to the wallet and the credit line (D-070). */
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

/** P4d: takes a released fee again after a late payment: from the wallet, on credit, and the rest as debt. */
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
