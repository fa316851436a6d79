import { maxOf, minOf } from '../../base/money.ts';
import {
  merchantAvailable,
  merchantCreditDrawn,
  merchantFeeIncome,
  merchantFeeReserved,
  merchantRecovery,
  type Entry,
  transfer,
} from '../../ledger/books/index.ts';
import { type Attempt, isOver, isPaid } from '../attempts/index.ts';
import type { Quote } from '../quotes/index.ts';

export type FeeReservationState = 'reserved' | 'captured' | 'released' | 'captured_late';

/**
 * The fee of a payment through the merchant's own account, set aside before the provider is asked for a payment
 * page. Amounts in PTK at 8-decimal fixed point.
 */
export interface FeeReservation {
  merchant_id: string;
  attempt_id: string;
  order_no: string;
  state: FeeReservationState;
  fee_ptk: bigint;
  /** What came out of the wallet. */
  available_ptk: bigint;
  /** What was drawn on the credit line. */
  credit_ptk: bigint;
  reserved_at: Date;
  released_at: Date | null;
  captured_at: Date | null;
}

/** What a merchant can pay fees from. */
export interface FeeFunds {
  available_ptk: bigint;
  credit_drawn_ptk: bigint;
  credit_limit_ptk: bigint;
}

/** The two parts of a fee: out of the wallet, and on credit. */
export type FeeParts = Pick<FeeReservation, 'available_ptk' | 'credit_ptk'>;

/** What the merchant has to raise before a payment by this method: nothing on a channel of the platform. */
export const feeToRaise = ({ owner, merchant_fee_ptk }: Pick<Quote, 'owner' | 'merchant_fee_ptk'>): bigint =>
  owner === 'merchant' ? merchant_fee_ptk : 0n;

/** What is left of the credit line; nothing where it was cut below what is drawn. */
const freeCredit = ({ credit_limit_ptk, credit_drawn_ptk }: FeeFunds): bigint =>
  maxOf(0n, credit_limit_ptk - credit_drawn_ptk);

/** How a fee would be raised: available PTK first, then credit; null where both fall short (R-132, D-069). */
export function raise(fee_ptk: bigint, funds: FeeFunds): FeeParts | null {
  const available_ptk = minOf(fee_ptk, funds.available_ptk);
  const credit_ptk = fee_ptk - available_ptk;
  return credit_ptk <= freeCredit(funds) ? { available_ptk, credit_ptk } : null;
}

/**
 * Where a released fee goes back to: what came from credit to credit, the rest to the wallet (D-070). Credit that
 * was repaid meanwhile is no longer drawn: that part belongs to the wallet it was repaid from.
 */
export function giveBack(reserved: FeeParts, credit_drawn_ptk: bigint): FeeParts {
  const credit_ptk = minOf(reserved.credit_ptk, credit_drawn_ptk);
  return { available_ptk: reserved.available_ptk + reserved.credit_ptk - credit_ptk, credit_ptk };
}

/** How a fee is raised that is owed in any case: whatever wallet and credit do not cover becomes debt (D-072). */
export function raiseInAnyCase(fee_ptk: bigint, funds: FeeFunds): FeeParts & { recovery_ptk: bigint } {
  const available_ptk = minOf(fee_ptk, funds.available_ptk);
  const credit_ptk = minOf(fee_ptk - available_ptk, freeCredit(funds));
  return { available_ptk, credit_ptk, recovery_ptk: fee_ptk - available_ptk - credit_ptk };
}

/** What happens to a reserved fee. */
export type FeeStep = 'capture' | 'release' | 'capture_late';

/**
 * What an attempt, as it stands now, means for the fee that was reserved for it (section 3.4 of the requirements,
 * D-071). Where another payment has settled the order, this attempt's fee is given back even if it was paid: an
 * order is charged once, and its second payment is to be returned.
 *
 * @param settles whether this very attempt makes its order paid now
 */
export function feeStep(
  state: FeeReservationState,
  attempt: Pick<Attempt, 'state'>,
  settles: boolean,
): FeeStep | null {
  if (settles) return state === 'reserved' ? 'capture' : state === 'released' ? 'capture_late' : null;
  return state === 'reserved' && (isOver(attempt) || isPaid(attempt)) ? 'release' : null;
}

/** The reservation after a step. */
export function afterStep(before: FeeReservation, step: FeeStep, now: Date): FeeReservation {
  switch (step) {
    case 'capture':
      return { ...before, state: 'captured', captured_at: now };
    case 'release':
      return { ...before, state: 'released', released_at: now };
    case 'capture_late':
      return { ...before, state: 'captured_late', captured_at: now };
  }
}

/** What all postings of one reservation share; attempts of one order are told apart by the case. */
const entryOf = ({ merchant_id, order_no, attempt_id }: FeeReservation, test_mode: boolean) => ({
  merchant_id,
  subject: order_no,
  case_key: attempt_id,
  test_mode,
});

/** P4a: the fee is set aside. */
export function reserveEntry(reservation: FeeReservation, test_mode: boolean): Entry {
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
export function captureEntry(reservation: FeeReservation, test_mode: boolean): Entry {
  const { order_no, fee_ptk } = reservation;
  return {
    ...entryOf(reservation, test_mode),
    posting: 'P4b',
    transfers: [transfer(merchantFeeReserved(order_no), merchantFeeIncome(), fee_ptk)],
  };
}

/** P4c: nothing was paid, and the fee goes back. */
export function releaseEntry(reservation: FeeReservation, back: FeeParts, test_mode: boolean): Entry {
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
export function lateEntry(
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
