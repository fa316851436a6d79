/** What refunds have returned of the money of a case, also those of the provider's dashboard (D-845). */
import { minOf } from '../../base/money.ts';
import type { CardDispute, CardRefund } from '../../channels/card/index.ts';
import { hasLostTo, isPartOfOrder, type PaymentCase } from '../cases/index.ts';
import type { CaseAnswer } from './provider-answer.ts';

const partReturned = 'a refund at the provider has returned a part of the money';
export const partTaken = 'a lost dispute has taken a part of the money';

/**
 * What refunds in the dashboard have returned of the money of a case, one refund at a time (D-845). Only what is certain is
 * taken from it.
 *
 * @returns null if they have returned nothing that the case does not know
 */
export function goneByRefunds(
  open: PaymentCase,
  refunds: readonly CardRefund[],
  disputes: readonly CardDispute[],
): Extract<CaseAnswer, { kind: 'returned' | 'failed' }> | null {
  if (isPartOfOrder(open)) return goneBeyondOrder(open, refunds, disputes);
  const part = nextPart(open, refunds);
  return part === null
    ? null
    : { kind: 'failed', why: partReturned, lost: { refund_id: part.id, amount: part.amount } };
}

/** The latest refund that the case does not know; null while one is under way. */
function nextPart(open: PaymentCase, refunds: readonly CardRefund[]): CardRefund | null {
  const live = refunds.filter(({ status, currency }) => status !== 'failed' && currency === open.currency);
  if (live.some(({ status }) => status === 'pending')) return null;
  return live.find(({ id }) => !hasLostTo(open, id)) ?? null;
}

/**
 * Where the receipt paid an order, refunds and lost disputes are the order's. What they have taken beyond its part was the
 * rest, which the case holds (D-801).
 *
 * @returns null if they have taken nothing of the rest
 */
function goneBeyondOrder(
  open: PaymentCase,
  refunds: readonly CardRefund[],
  disputes: readonly CardDispute[],
): Extract<CaseAnswer, { kind: 'returned' | 'failed' }> | null {
  const { amount, refund_amount, currency } = open;
  if (!isPartOfOrder(open) || amount === null || refund_amount === null) return null;
  const live = refunds.filter(({ status }) => status !== 'failed');
  const beyond = live
    .filter((refund) => refund.currency === currency)
    .reduce((sum, refund) => sum + refund.amount, lostAmount(disputes, currency) + refund_amount - amount);
  if (beyond <= 0n) return null;
  if (beyond >= refund_amount && live.every(({ status }) => status === 'succeeded'))
    return {
      kind: 'returned',
      resolution: 'cleared',
      why: 'all of the payment has gone back at the provider',
    };
  const part = nextPart(open, refunds);
  if (part !== null)
    return { kind: 'failed', why: partReturned, lost: { refund_id: part.id, amount: beyond, of_rest: true } };
  // A person has booked less of one dispute than it took, so that the order bore another one, which was the rest's (D-1255).
  const dispute = disputes.find(
    (one) => one.status === 'lost' && one.currency === currency && !hasLostTo(open, one.id),
  );
  if (dispute === undefined || live.some(({ status }) => status === 'pending'))
    return { kind: 'failed', why: `${beyond} of ${refund_amount} minor units have gone back` };
  const taken = minOf(beyond, dispute.amount);
  return { kind: 'failed', why: partTaken, lost: { dispute_id: dispute.id, amount: taken, of_rest: true } };
}

/** What disputes have taken for certain. */
export const lostAmount = (disputes: readonly CardDispute[], currency: string | null): bigint =>
  disputes
    .filter((dispute) => dispute.status === 'lost' && dispute.currency === currency)
    .reduce((sum, { amount }) => sum + amount, 0n);

/** What refunds have returned for certain. */
export const goneBack = (refunds: readonly CardRefund[], currency: string): bigint =>
  refunds
    .filter((refund) => refund.status === 'succeeded' && refund.currency === currency)
    .reduce((sum, refund) => sum + refund.amount, 0n);

/** The refunds that have not taken a part of the money of the case yet. */
export const newTo = (held: PaymentCase, refunds: readonly CardRefund[]): readonly CardRefund[] =>
  refunds.filter(({ id }) => !hasLostTo(held, id));

/** Whether it was asked for as the refund of the case. */
export const isOfCase = ({ case_id }: PaymentCase, refund: CardRefund): boolean => refund.case_id === case_id;
