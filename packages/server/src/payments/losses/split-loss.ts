/** Splits a loss between the funds that cover it. */
import { minOf } from '../../base/money.ts';

/** The funds that cover a loss, in PTK with 8 decimals, as integers. */
export interface LossFunds {
  /** Proceeds of the order that a complaint has frozen. */
  frozen: bigint;
  /** Proceeds of the order that are under hold. */
  held: bigint;
  guarantee: bigint;
  available: bigint;
}

/** The shares of a loss. The merchant owes `recovery`, which no funds cover. */
export interface LossShares extends LossFunds {
  recovery: bigint;
}

/**
 * Splits a loss (R-136, R-139, D-074): frozen funds of the order first, then held funds, the guarantee and the
 * available balance. After the release nothing is frozen or held, so the loss begins with the guarantee (D-080). The
 * rest becomes debt without a limit, so every loss is booked in full. The shares add up to the loss.
 */
export function splitLoss(loss: bigint, funds: LossFunds): LossShares {
  let left = loss;
  const take = (fund: bigint): bigint => {
    const share = minOf(left, fund);
    left -= share;
    return share;
  };
  const frozen = take(funds.frozen);
  const held = take(funds.held);
  const guarantee = take(funds.guarantee);
  const available = take(funds.available);
  return { frozen, held, guarantee, available, recovery: left };
}

/** The funds after a loss was taken from them. */
export function fundsAfter(funds: LossFunds, shares: LossShares): LossFunds {
  return {
    frozen: funds.frozen - shares.frozen,
    held: funds.held - shares.held,
    guarantee: funds.guarantee - shares.guarantee,
    available: funds.available - shares.available,
  };
}
