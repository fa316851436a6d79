/** Tells a person of money that has gone back a second time, after its case was decided (D-696). */
import type { Contradiction } from '@paydesk/contract';
import type { CardDispute, CardRefund } from '../../channels/card/index.ts';
import {
  hasLostTo,
  isPaidBack,
  isPartOfOrder,
  lostOf,
  openCase,
  type PaymentCase,
  takenOf,
  takenTo,
  toldUnder,
} from '../cases/index.ts';
import type { PaymentDeps } from '../engine/index.ts';
import { isOfCase, newTo } from './returned-by-refunds.ts';

/**
 * Opens a case about a dispute that contradicts the books. The money was paid back before, at the provider or by bank
 * (D-696). Or the dispute had taken the money and was won afterwards (D-730). Or it is about more than was left
 * (D-731), or takes the rest after more has gone back than a receipt that paid an order (D-847).
 */
export async function openIfContradicted(
  deps: PaymentDeps,
  held: PaymentCase,
  dispute: CardDispute,
): Promise<void> {
  const why = contradictionOf(held, dispute);
  if (why !== null) await openBeside(deps, held, why, dispute);
}

function contradictionOf(
  held: PaymentCase,
  { id, status, amount, currency }: CardDispute,
): Contradiction | null {
  if (status === 'won') return takenTo(held, id) > 0n ? 'won after it was booked as lost' : null;
  if (hasLostTo(held, id)) return null;
  if (isPaidBack(held)) return 'disputed after it was paid back';
  const { charged_back } = held.detail;
  if (status !== 'lost' || charged_back === undefined) return null;
  const isThis = charged_back.dispute_id === id;
  // The order tells what is disputed of its part.
  const isMore = isPartOfOrder(held)
    ? isThis && charged_back.is_beyond === true
    : !isThis || (currency === held.currency && amount > BigInt(charged_back.amount));
  return isMore ? 'disputed for more than what is left of the payment' : null;
}

/**
 * Opens a case about each refund of money that was paid back by bank (D-696), about the last refund of money of which
 * disputes have taken so much that both together are more than was received (D-732), and about a refund that ended the case
 * and has failed since (D-840).
 */
export async function openIfReturnedBeside(
  deps: PaymentDeps,
  held: PaymentCase,
  refunds: readonly CardRefund[],
): Promise<void> {
  for (const refund of failedOfCase(held, refunds))
    await openBeside(deps, held, 'the refund failed after it was booked', refund);
  const live = newTo(held, refunds).filter(({ status }) => status !== 'failed');
  if (held.resolution === 'repay' && isPaidBack(held)) {
    for (const refund of live) await openBeside(deps, held, 'refunded after it was paid back', refund);
    return;
  }
  if (held.state !== 'resolved') return;
  const { last, returned, due } = returnOf(held, refunds);
  if (takenOf(held) > 0n && last !== undefined && returned > due)
    await openBeside(deps, held, 'refunded beside a chargeback', last);
}

/** The refunds that have taken money of a case, or have ended it, and have failed since (D-840). */
export function failedOfCase(held: PaymentCase, refunds: readonly CardRefund[]): CardRefund[] {
  const ofParts = refunds.filter(({ id, status }) => status === 'failed' && hasLostTo(held, id));
  if (held.resolution !== 'refund' || held.state !== 'resolved') return ofParts;
  const { failed, returned, due } = returnOf(held, refunds);
  return failed !== undefined && returned < due ? [...ofParts, failed] : ofParts;
}

/** What refunds and disputes together return of the money of a case, and what they had to return. */
function returnOf(held: PaymentCase, refunds: readonly CardRefund[]) {
  const isOfOrder = isPartOfOrder(held);
  const ofCase = isOfOrder ? refunds.filter((refund) => isOfCase(held, refund)) : newTo(held, refunds);
  const live = ofCase.filter(({ status }) => status !== 'failed');
  return {
    last: live[0],
    failed: ofCase.find(({ status }) => status === 'failed'),
    returned: live.reduce((sum, { amount }) => sum + amount, takenOf(held)),
    // Of a receipt that paid an order, the case's own refund is about the rest that the disputes left, if they left any.
    due: isOfOrder ? (held.refund_amount ?? 0n) + lostOf(held) : (held.amount ?? 0n),
  };
}

async function openBeside(
  deps: PaymentDeps,
  held: PaymentCase,
  why: Contradiction,
  { id, amount, currency }: CardDispute | CardRefund,
): Promise<void> {
  const { merchant_id, order_no, attempt_id, payment_no, test_mode, case_id } = held;
  // Without the provider's payment: what happens to it is looked for in the case that held it.
  const about = {
    ...{ merchant_id, order_no, attempt_id, payment_no, test_mode, currency },
    kind: 'mismatch',
    dedupe_key: toldUnder(id, why),
    amount: amount > 0n ? amount : null,
    currency_decimals: currency === held.currency ? held.currency_decimals : null,
    detail: { why, seen: { name: id, case: case_id } },
  } as const;
  await deps.db.transaction((tx) => tx.write([openCase(deps, about, deps.clock.now())]));
}
