/** Returns the money of a case: asks the provider for the refund, and reads its answers. */
import type { CardRefund } from '../../channels/card/index.ts';
import type { Channel } from '../../channels/index.ts';
import { hasLostTo, isPartOfOrder, lostOf, type PaymentCase } from '../cases/index.ts';
import type { PaymentDeps } from '../engine/index.ts';
import { mayBeForgotten, refundView } from '../losses/index.ts';
import { InvariantError } from '../../base/errors.ts';
import type { CaseAnswer } from './provider-answer.ts';
import { findChargeback } from './case-dispute.ts';
import { goneBack, goneByRefunds, isOfCase, newTo } from './returned-by-refunds.ts';

const confirmedByProvider = 'confirmed by the provider';

/**
 * Asks the provider for the refund of a case.
 *
 * Invariant: the provider makes at most one. Every request repeats the first one under its idempotency key. Where the
 * provider may have forgotten the key, its records are read first (D-378).
 */
export async function askForCaseRefund(
  deps: PaymentDeps,
  channel: Channel,
  open: PaymentCase,
): Promise<CaseAnswer> {
  const { case_id, refund_seq, refund_amount, currency, provider_payment_id, order_no } = open;
  if (refund_amount === null || currency === null || provider_payment_id === null) {
    throw new InvariantError('a refund of nothing');
  }
  if (mayBeForgotten(open.opened_at, deps.clock.now())) {
    const found = await deps.cards.refundsOf(channel, provider_payment_id);
    if (found.kind === 'failed') return { kind: 'unclear', why: found.reason };
    const made = found.kind === 'found' ? found.value.filter((refund) => isOfCase(open, refund)) : [];
    if (refundView({ amount: refund_amount, currency }, made).kind !== 'none') {
      return readCaseRefunds(open, made, 'failed at the provider');
    }
  }
  const key = refund_seq === 1 ? `case_${case_id}` : `case_${case_id}_${refund_seq}`;
  const asked = await deps.cards.refund(channel, {
    payment_id: provider_payment_id,
    amount: refund_amount,
    currency,
    idempotency_key: /* guard: cases-refund-under-one-key = `${Math.random()}` */ key,
    metadata: { case_id, ...(order_no === null ? {} : { order_no }) },
  });
  switch (asked.kind) {
    case 'created':
      return readCaseRefunds(open, [asked.refund], 'failed at the provider');
    case 'unclear':
      return { kind: 'unclear', why: asked.reason };
    case 'refused': {
      // The money may already have gone back: by the dashboard, or by an earlier request whose answer was lost.
      const found = await deps.cards.refundsOf(channel, provider_payment_id);
      if (found.kind === 'failed') return { kind: 'unclear', why: found.reason };
      const refunds = found.kind === 'found' ? found.value : [];
      const answer = readCaseRefunds(open, refunds, asked.reason);
      return answer.kind === 'failed' ? checkChargeback(deps, channel, open, refunds, answer) : answer;
    }
  }
}

/** After a refusal: checks whether a lost dispute has taken the money. Its webhook may have come before the case. */
async function checkChargeback(
  deps: PaymentDeps,
  channel: Channel,
  open: PaymentCase,
  refunds: readonly CardRefund[],
  otherwise: Extract<CaseAnswer, { kind: 'failed' }>,
): Promise<CaseAnswer> {
  const found = await deps.cards.disputesOf(channel, open.provider_payment_id ?? '');
  if (found.kind === 'failed') return { kind: 'unclear', why: found.reason };
  const disputes = found.kind === 'found' ? found.value : [];
  const lost = await findChargeback(deps, channel, open, disputes);
  // A part is gone. The next request asks for the rest.
  if (lost?.kind === 'noted') return { ...lost, kind: 'failed' };
  return lost ?? goneByRefunds(open, refunds, disputes) ?? otherwise;
}

/**
 * Asks the provider whether it has all the money of a case, before the platform pays it back by bank (D-695) or a
 * person closes it over a lost dispute in another currency (D-874).
 *
 * @returns what keeps the platform from it: `noted` stands for a dispute that is open or about a part that the case does
 *   not know; null for nothing
 */
export async function findReturn(
  deps: PaymentDeps,
  channel: Channel,
  open: PaymentCase,
): Promise<CaseAnswer | null> {
  const payment_id = open.provider_payment_id ?? '';
  const returned = await deps.cards.refundsOf(channel, payment_id);
  if (returned.kind === 'failed') return { kind: 'unclear', why: returned.reason };
  const refunds = returned.kind === 'found' ? returned.value : [];
  const answer = readCaseRefunds(open, refunds, '');
  if (answer.kind !== 'failed') return answer;
  const disputed = await deps.cards.disputesOf(channel, payment_id);
  if (disputed.kind === 'failed') return { kind: 'unclear', why: disputed.reason };
  const disputes = disputed.kind === 'found' ? disputed.value : [];
  if (disputes.some(({ status }) => status === 'open')) {
    return { kind: 'noted', why: 'The payment is disputed: wait until the dispute has ended.' };
  }
  const lost = await findChargeback(deps, channel, open, disputes);
  if (lost !== null) return lost;
  const gone = goneByRefunds(open, refunds, disputes) ?? (answer.why === '' ? null : answer);
  if (gone !== null) return gone;
  const other = disputes.find(
    ({ id, status, currency }) => status === 'lost' && currency !== open.currency && !hasLostTo(open, id),
  );
  if (other === undefined) return null;
  const why = 'A lost dispute in another currency has taken money: close the case over this loss first.';
  return { kind: 'noted', why, in_other_currency: other.id };
}

export async function lookUpCaseRefund(
  deps: PaymentDeps,
  channel: Channel,
  open: PaymentCase,
): Promise<CaseAnswer> {
  const found = await deps.cards.refundById(channel, open.provider_refund_id ?? '');
  if (found.kind === 'found') return readCaseRefunds(open, [found.value], 'failed at the provider');
  // The refund existed, so a look-up that does not find it has failed. It proves nothing.
  return { kind: 'unclear', why: found.kind === 'failed' ? found.reason : 'refund not found' };
}

/**
 * Compares the refunds of a case's payment with the amount that has to go back.
 *
 * @param otherwise why the refund failed, if nothing has gone back
 */
export function readCaseRefunds(
  open: PaymentCase,
  refunds: readonly CardRefund[],
  otherwise: string,
): CaseAnswer {
  const { refund_amount, amount, currency } = open;
  const due = { amount: refund_amount ?? (amount ?? 0n) - lostOf(open), currency: currency ?? '' };
  const view = refundView(
    due,
    isPartOfOrder(open) ? refunds.filter((known) => isOfCase(open, known)) : newTo(open, refunds),
  );
  switch (view.kind) {
    case 'full': {
      const { provider_refund_id } = view;
      return { kind: 'returned', resolution: 'refund', why: confirmedByProvider, provider_refund_id };
    }
    case 'pending':
      return { kind: 'pending', provider_refund_id: view.provider_refund_id };
    case 'none':
      return { kind: 'failed', why: otherwise };
    case 'partial': {
      // Beside what a dispute has taken, more can go back than was left (D-732).
      const { provider_refund_id, returned } = view;
      if (
        lostOf(open) > 0n &&
        returned > due.amount &&
        goneBack(newTo(open, refunds), due.currency) === returned
      )
        return { kind: 'returned', resolution: 'refund', why: confirmedByProvider, provider_refund_id };
      return { kind: 'failed', why: `${returned} of ${due.amount} minor units have gone back` };
    }
  }
}
