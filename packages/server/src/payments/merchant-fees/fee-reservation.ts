import { type Attempt, endedUnpaid, isPaid } from '../attempts/index.ts';
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

/** What the merchant has to raise before a payment by this method: nothing on a channel of the platform. */
export const feeToReserve = ({
  owner,
  merchant_fee_ptk,
}: Pick<Quote, 'owner' | 'merchant_fee_ptk'>): bigint => (owner === 'merchant' ? merchant_fee_ptk : 0n);

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
