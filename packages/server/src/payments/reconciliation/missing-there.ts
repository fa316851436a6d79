/** Looks for the payment of an attempt at the provider. */
import type { Channel } from '../../channels/index.ts';
import type { PaymentDeps } from '../engine/index.ts';
import type { Found } from './difference.ts';
import type { PaidAttempt } from './reconciliation.sql.ts';

/** A payment that settled an order here, and that the provider does not have. */
export async function missingThere(
  { cards }: Pick<PaymentDeps, 'cards'>,
  channel: Channel,
  { merchant_id, attempt_id, order_no, session_id, provider_trade_no, amount, currency }: PaidAttempt,
): Promise<Found> {
  // A payment of another session was accepted: the provider has it under its own number.
  if (provider_trade_no?.startsWith('pi_') === true) {
    const payment = await cards.payment(channel, provider_trade_no);
    if (payment.kind === 'failed') return { failure: payment.reason };
    if (payment.kind === 'found' && payment.value.state === 'succeeded') return null;
  }
  if (session_id !== null) {
    const session = await cards.session(channel, session_id);
    if (session.kind === 'failed') return { failure: session.reason };
    if (session.kind === 'found' && session.value.paid) return null;
  }
  return {
    ...{ kind: 'payment_missing_there', payment_no: channel.payment_no, merchant_id, attempt_id, order_no },
    ...{ session_id, provider_payment_id: provider_trade_no, provider_id: null },
    ...{ amount_minor: amount.toString(), currency },
  };
}
