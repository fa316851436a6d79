import { maxOf, minOf } from '../../base/money.ts';
import type { FeeReservation } from './fee-reservation.ts';

/** What a merchant can pay fees from. */
export interface FeeFunds {
  available_ptk: bigint;
  credit_drawn_ptk: bigint;
  credit_limit_ptk: bigint;
}

/** The two parts of a fee: out of the wallet, and on credit. */
export type FeeParts = Pick<FeeReservation, 'available_ptk' | 'credit_ptk'>;

/** What is left of the credit line; nothing where it was cut below what is drawn. */
const freeCredit = ({ credit_limit_ptk, credit_drawn_ptk }: FeeFunds): bigint =>
  maxOf(0n, credit_limit_ptk - credit_drawn_ptk);

/** How a fee would be raised: available PTK first, then credit; null where both fall short (R-132, D-069). */
export function splitFee(fee_ptk: bigint, funds: FeeFunds): FeeParts | null {
  const available_ptk = minOf(fee_ptk, funds.available_ptk);
  const credit_ptk = fee_ptk - available_ptk;
  return /* guard: credit-line = true */ credit_ptk <= freeCredit(funds)
    ? { available_ptk, credit_ptk }
    : null;
}

/**
 * Where a released fee goes back to: what came from credit to credit, the rest to the wallet (D-070). Credit that
 * was repaid meanwhile is no longer drawn: that part belongs to the wallet it was repaid from.
 */
export function splitReturnedFee(reserved: FeeParts, credit_drawn_ptk: bigint): FeeParts {
  const credit_ptk = minOf(
    reserved.credit_ptk,
    /* guard: credit-given-back-where-it-is-drawn = 10n ** 30n */ credit_drawn_ptk,
  );
  return { available_ptk: reserved.available_ptk + reserved.credit_ptk - credit_ptk, credit_ptk };
}

/** How a fee is raised that is owed in any case: whatever wallet and credit do not cover becomes debt (D-072). */
export function splitOwedFee(fee_ptk: bigint, funds: FeeFunds): FeeParts & { recovery_ptk: bigint } {
  const available_ptk = minOf(fee_ptk, funds.available_ptk);
  const credit_ptk = minOf(fee_ptk - available_ptk, freeCredit(funds));
  return { available_ptk, credit_ptk, recovery_ptk: fee_ptk - available_ptk - credit_ptk };
}
