/** Splits a fee between the merchant's wallet, its credit line and its debt. */
import { maxOf, minOf } from '../../base/money.ts';
import type { FeeReservation } from './fee-reservation.ts';

/** What a merchant can pay fees from, in PTK. */
export interface FeeFunds {
  available_ptk: bigint;
  credit_drawn_ptk: bigint;
  credit_limit_ptk: bigint;
}

/** The two parts of a fee: from the wallet, and on credit. */
export type FeeParts = Pick<FeeReservation, 'available_ptk' | 'credit_ptk'>;

/** The unused credit; 0 if the limit is below the drawn credit. */
const freeCredit = ({ credit_limit_ptk, credit_drawn_ptk }: FeeFunds): bigint =>
  maxOf(0n, credit_limit_ptk - credit_drawn_ptk);

/**
 * Splits a fee: available PTK first, then credit up to its limit (D-070). Null if both together are too little (R-132,
 * D-069).
 */
export function splitFee(fee_ptk: bigint, funds: FeeFunds): FeeParts | null {
  const available_ptk = minOf(fee_ptk, funds.available_ptk);
  const credit_ptk = fee_ptk - available_ptk;
  return /* guard: credit-line = true */ credit_ptk <= freeCredit(funds)
    ? { available_ptk, credit_ptk }
    : null;
}

/**
 * Splits a released fee (D-070): the part on credit reduces the drawn credit, the rest goes to the wallet. If the
 * merchant has repaid credit meanwhile, that part also goes to the wallet.
 */
export function splitReturnedFee(reserved: FeeParts, credit_drawn_ptk: bigint): FeeParts {
  const credit_ptk = minOf(
    reserved.credit_ptk,
    /* guard: credit-given-back-where-it-is-drawn = 10n ** 30n */ credit_drawn_ptk,
  );
  return { available_ptk: reserved.available_ptk + reserved.credit_ptk - credit_ptk, credit_ptk };
}

/** Splits a fee that is owed in any case: the part that wallet and credit do not cover becomes debt (D-072). */
export function splitOwedFee(fee_ptk: bigint, funds: FeeFunds): FeeParts & { recovery_ptk: bigint } {
  const available_ptk = minOf(fee_ptk, funds.available_ptk);
  const credit_ptk = minOf(fee_ptk - available_ptk, freeCredit(funds));
  return { available_ptk, credit_ptk, recovery_ptk: fee_ptk - available_ptk - credit_ptk };
}
