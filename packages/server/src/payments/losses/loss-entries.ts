/** The postings of refunds, complaints and losses (P6a to P9). */
import { InvariantError } from '../../base/errors.ts';
import { ptk } from '../../base/money.ts';
import { toPtk } from '../../currencies/index.ts';
import {
  type Account,
  exchange,
  merchantAvailable,
  merchantFrozen,
  merchantGuarantee,
  merchantHeld,
  merchantRecovery,
  providerClearing,
  userAvailable,
  type Entry,
  type Posting,
  type Transfer,
  transfer,
} from '../../ledger/books/index.ts';
import type { Attempt } from '../attempts/index.ts';
import type { Payable } from '../engine/index.ts';
import { releaseTransfers } from '../holds/index.ts';
import type { LossShares } from './split-loss.ts';

/** The order and the payment of a loss. */
export interface LossSubject {
  order: Pick<Payable, 'merchant_id' | 'order_no' | 'price_e12'>;
  attempt: Pick<
    Attempt,
    'payment_no' | 'amount' | 'currency' | 'currency_decimals' | 'buyer_user_id' | 'test_mode'
  >;
}

/**
 * The merchant's loss in PTK, at the order's locked price, if `minor` units of its payment go back (D-075). Partial
 * losses add up to exactly the loss of the whole.
 *
 * @param before minor units of the payment that are already lost
 */
export function lossInPtk({ order, attempt }: LossSubject, before: bigint, minor: bigint): bigint {
  return inPtk(order, attempt, before + minor) - inPtk(order, attempt, before);
}

/** A cost in the payment currency, converted to PTK at the order's locked price. */
export const costInPtk = ({ order, attempt }: LossSubject, minor: bigint): bigint =>
  inPtk(order, attempt, minor);

const inPtk = (
  order: LossSubject['order'],
  { currency, currency_decimals }: LossSubject['attempt'],
  minor: bigint,
) => (currency === ptk ? minor : toPtk(minor, currency_decimals, order.price_e12));

/** A full refund: by the provider (P7), or to the buyer's wallet (P7p). The platform keeps its fees. */
export function refundEntry(of: LossSubject, minor: bigint, shares: LossShares): Entry {
  return { ...entryOf(of), posting: isPtk(of) ? 'P7p' : 'P7', transfers: returnTransfers(of, minor, shares) };
}

/** The loss of a complaint (P8): the same transfers as a refund. */
export function chargebackEntry(
  of: LossSubject,
  complaint_id: string,
  minor: bigint,
  shares: LossShares,
): Entry {
  return caseEntry(of, 'P8', complaint_id, returnTransfers(of, minor, shares));
}

/**
 * The provider's charge for a dispute (P9): a further loss in a separate posting, not set off against fees (R-137,
 * D-081).
 */
export function costEntry(of: LossSubject, complaint_id: string, minor: bigint, shares: LossShares): Entry {
  return caseEntry(of, 'P9', complaint_id, returnTransfers(of, minor, shares));
}

/**
 * What a top-up that went back takes from the wallet that it had filled (P22, D-358, D-361), for the platform's own
 * merchant to bear the loss with.
 *
 * @param key the complaint; empty for a refund
 */
export const walletReturnEntry = (of: LossSubject, user_id: string, key: string, amount: bigint): Entry =>
  caseEntry(of, 'P22', key, [transfer(userAvailable(user_id), merchantAvailable(), amount)]);

/** An opened complaint (P6a): freezes the held proceeds of the order. */
export function freezeEntry(of: LossSubject, complaint_id: string, held: bigint): Entry {
  const { order_no } = of.order;
  return caseEntry(of, 'P6a', complaint_id, [
    transfer(merchantHeld(order_no), merchantFrozen(order_no), held),
  ]);
}

/**
 * Frozen funds that go back after a complaint (P6b): to the hold, or released if the hold is over, with the merchant's
 * debt repaid first.
 */
export function thawEntry(
  of: LossSubject,
  complaint_id: string,
  frozen: bigint,
  to: 'held' | { owed: bigint },
): Entry {
  const { order_no } = of.order;
  const from = merchantFrozen(order_no);
  const transfers =
    to === 'held'
      ? [transfer(from, merchantHeld(order_no), frozen)]
      : releaseTransfers(from, frozen, to.owed);
  return caseEntry(of, 'P6b', complaint_id, transfers);
}

const isPtk = ({ attempt }: LossSubject): boolean => attempt.currency === ptk;

const entryOf = ({ order, attempt }: LossSubject) => ({
  merchant_id: order.merchant_id,
  subject: order.order_no,
  test_mode: attempt.test_mode,
});

const caseEntry = (of: LossSubject, posting: Posting, case_key: string, transfers: Transfer[]): Entry => ({
  ...entryOf(of),
  posting,
  case_key,
  transfers,
});

/** Money that leaves: by the provider, exchanged at the locked price, or to the buyer's wallet. */
function returnTransfers(of: LossSubject, minor: bigint, shares: LossShares): Transfer[] {
  const { payment_no, currency } = of.attempt;
  if (isPtk(of)) return lossTransfers(of, shares, buyerOf(of));
  return [
    transfer(exchange(currency), providerClearing(payment_no, currency), minor),
    ...lossTransfers(of, shares, exchange(ptk)),
  ];
}

function buyerOf({ attempt: { buyer_user_id } }: LossSubject): Account {
  if (buyer_user_id === null) throw new InvariantError('a PTK payment without a buyer');
  return userAvailable(buyer_user_id);
}

/** The funds that cover a loss, each its share. */
function lossTransfers({ order: { order_no } }: LossSubject, shares: LossShares, to: Account): Transfer[] {
  return [
    transfer(merchantFrozen(order_no), to, shares.frozen),
    transfer(merchantHeld(order_no), to, shares.held),
    transfer(merchantGuarantee(), to, shares.guarantee),
    transfer(merchantAvailable(), to, shares.available),
    transfer(merchantRecovery(), to, shares.recovery),
  ];
}
