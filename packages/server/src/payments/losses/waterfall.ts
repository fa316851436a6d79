import { minOf } from '../../base/money.ts';

/** What a loss can be taken from, in PTK at 8-decimal fixed point. */
export interface LossFunds {
  /** Proceeds of the order that a complaint has stopped. */
  frozen: bigint;
  /** Proceeds of the order that are under hold. */
  held: bigint;
  guarantee: bigint;
  available: bigint;
}

/** How a loss is shared out; what no funds cover the merchant owes. */
export interface LossShares extends LossFunds {
  recovery: bigint;
}

/**
 * Shares out a loss: the order's own funds first, frozen before held, then the guarantee, then the available
 * balance; the rest becomes debt, without a limit, so that every loss is booked in full (R-139, D-074). The shares
 * add up to the loss.
 */
export function waterfall(loss: bigint, funds: LossFunds): LossShares {
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

/** What the funds hold once a loss was taken from them. */
export function fundsAfter(funds: LossFunds, shares: LossShares): LossFunds {
  return {
    frozen: funds.frozen - shares.frozen,
    held: funds.held - shares.held,
    guarantee: funds.guarantee - shares.guarantee,
    available: funds.available - shares.available,
  };
}
