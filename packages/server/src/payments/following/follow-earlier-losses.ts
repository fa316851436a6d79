/** Follows what has happened to a payment at the provider before the books knew of it. */
import type { PaymentDeps } from '../engine/index.ts';
import { followDispute } from './follow-dispute.ts';
import { followRefunds } from './follow-refunds.ts';

/**
 * Applies the refunds and disputes of a payment that has just settled an order: their webhooks may have come before it
 * (D-205).
 * Never call it inside a transaction. If it fails, the nightly comparison with the provider lists them.
 */
export async function followEarlierLosses(
  deps: PaymentDeps,
  payment_no: string,
  payment_id: string,
): Promise<void> {
  const channel = await deps.channels.find(payment_no);
  if (channel === null) return;
  await followRefunds(deps, payment_no, payment_id);
  const disputes = await deps.cards.disputesOf(channel, payment_id);
  if (disputes.kind !== 'found') return;
  for (const { id } of disputes.value) await followDispute(deps, payment_no, id);
}
