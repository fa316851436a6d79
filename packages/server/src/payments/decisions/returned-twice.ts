/** Tells a person of money that has gone back a second time, after its case was decided (D-696). */
import type { Contradiction } from '@paydesk/contract';
import type { CardDispute, CardRefund } from '../../channels/index.ts';
import { hasLostTo, isPaidBack, openCase, type PaymentCase } from '../cases/index.ts';
import type { PaymentDeps } from '../engine/index.ts';

/** Opens a case about a dispute of money that was paid back already, at the provider or by bank (D-696). */
export async function openIfPaidBack(
  deps: PaymentDeps,
  held: PaymentCase,
  dispute: CardDispute,
): Promise<void> {
  if (dispute.status !== 'won' && isPaidBack(held) && !hasLostTo(held, dispute.id))
    await openBeside(deps, held, 'disputed after it was paid back', dispute);
}

/** Opens a case about each refund of money that was paid back by bank (D-696). */
export async function openIfRepaid(
  deps: PaymentDeps,
  held: PaymentCase,
  refunds: readonly CardRefund[],
): Promise<void> {
  if (held.resolution !== 'repay' || !isPaidBack(held)) return;
  for (const refund of refunds) {
    if (refund.status !== 'failed') await openBeside(deps, held, 'refunded after it was paid back', refund);
  }
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
    dedupe_key: id,
    amount: amount > 0n ? amount : null,
    currency_decimals: currency === held.currency ? held.currency_decimals : null,
    detail: { why, seen: { name: id, case: case_id } },
  } as const;
  await deps.db.transaction((tx) => tx.write([openCase(deps, about, deps.clock.now())]));
}
