import { InvariantError } from '../../base/errors.ts';
import type { Channel } from '../../channels/index.ts';
import { type Attempt, selectAttempt } from '../attempts/index.ts';
import { type PaymentDeps, processDue } from '../engine/index.ts';
import {
  isUnderWay,
  mayBeForgotten,
  nextRefundCheck,
  type Refund,
  refundRows,
  selectRefund,
  updateRefund,
} from '../losses/index.ts';
import { failedAtProvider, refundsOfOrder, type SeenRefunds, settleRefund } from './settle-refund.ts';

/**
 * Takes the next step of a refund, outside any transaction: requests it from the provider or looks it up, and applies the
 * answer.
 *
 * Invariant: the provider makes at most one refund. Every request repeats the first one exactly, with the same idempotency
 * key (D-091, D-092). Where the provider may have forgotten the key, its records are read first (D-378).
 *
 * @returns the refund after it
 */
export async function pursueRefund(deps: PaymentDeps, refund: Refund): Promise<Refund> {
  if (!isUnderWay(refund)) return refund;
  const attempt = await selectAttempt(deps.db, refund.merchant_id, refund.attempt_id);
  const channel = attempt === null ? null : await deps.channels.find(attempt.payment_no);
  if (attempt === null || channel === null) throw new InvariantError('a refund without attempt or channel');
  const seen =
    refund.status === 'requested'
      ? await askForRefund(deps, channel, attempt, refund)
      : await lookUpRefund(deps, channel, attempt, refund);
  if (seen.kind === 'unclear') await postponeRefund(deps, refund, seen.why);
  else await settleRefund(deps, attempt, seen);
  return (await selectRefund(deps.db, refund.merchant_id, refund.refund_id)) ?? refund;
}

type RefundAnswer = ({ kind: 'seen' } & SeenRefunds) | { kind: 'unclear'; why: string };

async function askForRefund(
  deps: PaymentDeps,
  channel: Channel,
  attempt: Attempt,
  { refund_id, merchant_id, order_no, amount, currency, requested_at }: Refund,
): Promise<RefundAnswer> {
  const payment_id = attempt.provider_trade_no ?? '';
  if (mayBeForgotten(requested_at, deps.clock.now())) {
    const found = await deps.cards.refundsOf(channel, payment_id);
    if (found.kind === 'failed') return { kind: 'unclear', why: found.reason };
    const made = found.kind === 'found' ? await refundsOfOrder(deps, found.value) : [];
    if (made.some(({ status }) => status !== 'failed')) {
      return { kind: 'seen', refunds: made, answers: { refund_id, why: failedAtProvider } };
    }
  }
  const asked = await deps.cards.refund(channel, {
    payment_id,
    amount,
    currency,
    idempotency_key: /* guard: refund-under-one-key = `${Math.random()}` */ `ref_${refund_id}`,
    metadata: { refund_id, merchant_id, order_no },
  });
  switch (asked.kind) {
    case 'created':
      return { kind: 'seen', refunds: [asked.refund], answers: { refund_id, why: failedAtProvider } };
    case 'unclear':
      return { kind: 'unclear', why: asked.reason };
    case 'refused': {
      // The money may already have gone back: by the dashboard, or by an earlier request whose answer was lost.
      const found = await deps.cards.refundsOf(channel, payment_id);
      if (found.kind === 'failed') return { kind: 'unclear', why: found.reason };
      const refunds = found.kind === 'found' ? found.value : [];
      return { kind: 'seen', refunds, answers: { refund_id, why: asked.reason } };
    }
  }
}

/** Looks a refund up. Several of the dashboard that return the whole together are looked up together (D-841). */
async function lookUpRefund(
  deps: PaymentDeps,
  channel: Channel,
  attempt: Attempt,
  { provider_refund_id, amount }: Refund,
): Promise<RefundAnswer> {
  const one = await deps.cards.refundById(channel, provider_refund_id ?? '');
  if (one.kind === 'found' && one.value.amount === amount) return { kind: 'seen', refunds: [one.value] };
  const found =
    one.kind === 'found' ? await deps.cards.refundsOf(channel, attempt.provider_trade_no ?? '') : one;
  if (found.kind === 'found') return { kind: 'seen', refunds: found.value };
  // The refund existed, so a look-up that does not find it has failed. It proves nothing.
  return { kind: 'unclear', why: found.kind === 'failed' ? found.reason : 'refund not found' };
}

async function postponeRefund(deps: PaymentDeps, refund: Refund, why: string): Promise<void> {
  const { merchant_id, order_no, refund_id } = refund;
  await deps.db.transaction(async (tx) => {
    await deps.kindOf(order_no).lock(tx, merchant_id, order_no);
    const stored = await selectRefund(tx, merchant_id, refund_id);
    // A webhook may have ended the refund meanwhile.
    if (stored === null || !isUnderWay(stored)) return;
    const check_at = nextRefundCheck(stored, deps.clock.now());
    await tx.write([updateRefund(stored, { ...stored, check_at, detail: `unclear: ${why}` })]);
  });
}

/**
 * Takes the next step of every due refund: requests it again if the answer was unclear or lost, or looks it up if pending.
 *
 * @returns number of refunds handled
 */
export async function pursueDueRefunds(deps: PaymentDeps, limit = 100): Promise<number> {
  return processDue(deps, {
    rows: refundRows,
    limit,
    claim_ms: 2 * deps.lease_ms,
    handle: (refund: Refund) => pursueRefund(deps, refund),
    failure: 'a refund could not be processed; it is retried when its claim ends',
    idsOf: ({ refund_id }) => ({ refund_id }),
  });
}
