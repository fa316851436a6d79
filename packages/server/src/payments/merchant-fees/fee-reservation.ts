/**
 * The fee of a payment through the merchant's own channel: reserved before the provider is asked, then captured or
 * released (section 3.4 of the requirements).
 */
import { type Attempt, endedUnpaid, isPaid } from '../attempts/index.ts';
import type { Quote } from '../quotes/index.ts';

export type FeeReservationState = 'reserved' | 'captured' | 'released' | 'captured_late';

/** The reserved fee of one attempt. Amounts are in PTK with 8 decimals, as integers. */
export interface FeeReservation {
  merchant_id: string;
  attempt_id: string;
  order_no: string;
  state: FeeReservationState;
  fee_ptk: bigint;
  /** Part taken from the wallet. */
  available_ptk: bigint;
  /** Part drawn on the credit line. */
  credit_ptk: bigint;
  reserved_at: Date;
  released_at: Date | null;
  captured_at: Date | null;
}

/** The fee to reserve before a payment by this method; 0 on a channel of the platform (D-050). */
export const feeToReserve = ({
  owner,
  merchant_fee_ptk,
}: Pick<Quote, 'owner' | 'merchant_fee_ptk'>): bigint => (owner === 'merchant' ? merchant_fee_ptk : 0n);

/** A change of a reservation. */
export type FeeStep = 'capture' | 'release' | 'capture_late';

/**
 * The next step of a reservation, by the state of its attempt (D-071); null if it stays as it is. If another payment has
 * settled the order, the fee is released even if this attempt was paid, because an order is charged once.
 *
 * @param settles whether this attempt settles the order now
 */
export function feeStep(
  state: FeeReservationState,
  attempt: Pick<Attempt, 'state'>,
  settles: boolean,
): FeeStep | null {
  if (settles)
    return state === 'reserved'
      ? 'capture'
      : /* guard: fee-of-a-late-payment = false */ state === 'released'
        ? 'capture_late'
        : null;
  return state === 'reserved' &&
    (endedUnpaid(attempt) || /* guard: fee-taken-or-given-back */ isPaid(attempt))
    ? 'release'
    : null;
}

/** The reservation after a step. */
export function afterFeeStep(before: FeeReservation, step: FeeStep, now: Date): FeeReservation {
  switch (step) {
    case 'capture':
      return { ...before, state: 'captured', captured_at: now };
    case 'release':
      return { ...before, state: 'released', released_at: now };
    case 'capture_late':
      return { ...before, state: 'captured_late', captured_at: now };
  }
}
