/** Refunds and disputes of payments that the books do not know. Never call these functions inside a transaction. */
import { later, minutes } from '../../base/time/clock.ts';
import type { Channel } from '../../channels/index.ts';
import { findAttempt } from '../card/index.ts';
import { finished, type HintResult, notSettledYet, type PaymentDeps, unfinished } from '../engine/index.ts';
import { isOurSession } from '../unmatched/index.ts';

/**
 * What to do with news of a refund or a dispute whose payment is not known: it waits for the payment (D-107), unless the
 * provider says that the payment belongs to no session of ours, or to another channel of the account (D-803), or that it is not
 * made (D-1163): the charge of a declined card has neither. It waits only briefly for a payment that the provider does not have
 * either (D-1154).
 */
export async function followUnknownPayment(
  deps: PaymentDeps,
  channel: Channel,
  payment_id: string,
): Promise<HintResult> {
  const found = await deps.cards.sessionOfPayment(channel, payment_id);
  if (found.kind === 'failed') return unfinished(`look-up failed: ${found.reason}`);
  if (found.kind === 'none') return followWithoutSession(deps, channel, payment_id);
  if (!isOurSession(channel, found.value)) return notOurs;
  const { reference, merchant_id } = found.value;
  const metadata = merchant_id === null ? null : { merchant_id };
  const attempt = await findAttempt(deps, { client_reference_id: reference, metadata });
  if (attempt !== null && attempt.payment_no !== channel.payment_no) return finished('of another channel');
  const payment = await deps.cards.payment(channel, payment_id);
  const isMade = payment.kind !== 'found' || payment.value.state === 'succeeded';
  return isMade ? notSettledYet : finished('of a payment that is not made');
}

const notOurs = finished('of no session of ours');

/** Longer than the provider's lists lag: two minutes prove the absence of a session (D-093). */
const lag_ms = minutes(10);

/** The session of a payment may be missing from the provider's list only because the payment is young. */
async function followWithoutSession(
  { cards, clock }: PaymentDeps,
  channel: Channel,
  payment_id: string,
): Promise<HintResult> {
  const found = await cards.payment(channel, payment_id);
  if (found.kind === 'none') return { ...notSettledYet, within_ms: lag_ms };
  const isOld =
    found.kind === 'found' && found.value.paid_at * 1_000 <= later(clock.real(), -lag_ms).getTime();
  return isOld ? notOurs : notSettledYet;
}
