/** Returns the money of a case: asks the provider for the refund, and reads its answers. */
import type { CardDispute, CardRefund, Channel } from '../../channels/index.ts';
import { hasLostTo, isPartOfOrder, lostOf, type PaymentCase } from '../cases/index.ts';
import type { PaymentDeps } from '../engine/index.ts';
import { selectAttemptByTrade } from '../attempts/index.ts';
import { mayBeForgotten, refundView } from '../losses/index.ts';
import { InvariantError } from '../../base/errors.ts';
import { maxOf, minOf } from '../../base/money.ts';
import type { CaseAnswer, ChargedBack } from './case-answer.ts';
import { goneByRefunds, lostAmount } from './gone-by-refunds.ts';
import { besideOthers, settleOrdersPart } from './orders-part.ts';

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

/** After a refusal: checks whether a lost dispute has taken the money (D-697). Its webhook may have come before the case. */
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

async function findChargeback(
  deps: PaymentDeps,
  channel: Channel,
  open: PaymentCase,
  disputes: readonly CardDispute[],
): Promise<CaseAnswer | null> {
  for (const dispute of disputes) {
    const answer = await answerOfDispute(deps, channel, open, dispute);
    if (answer.kind === 'noted' && answer.lost === undefined) continue;
    if (isPartOfOrder(open) && answer.kind !== 'unclear') {
      await settleOrdersPart(deps, channel, open, besideOthers(dispute, disputes), answer);
    }
    return answer;
  }
  return null;
}

/**
 * Asks the provider whether it has all the money of a case, before the platform pays it back by bank (D-695).
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
  if (gone !== null || isPartOfOrder(open)) return gone;
  const other = disputes.find(
    ({ id, status, currency }) => status === 'lost' && currency !== open.currency && !hasLostTo(open, id),
  );
  if (other === undefined) return null;
  const why = 'A lost dispute in another currency has taken money: close the case over this loss first.';
  return { kind: 'noted', why, in_other_currency: other.id };
}

/**
 * What a dispute means for the money of a case. A lost dispute has taken the money if it is about the whole receipt, or
 * about all that was left of it after refunds, or more (D-731). Otherwise it has taken a part (D-725). If the receipt paid
 * an order, only what has gone back beyond the order's part was money of the case (D-665, D-801).
 */
export async function answerOfDispute(
  deps: PaymentDeps,
  channel: Channel,
  held: PaymentCase,
  dispute: CardDispute,
): Promise<CaseAnswer> {
  const { id, status, amount, currency } = dispute;
  const noted: CaseAnswer = { kind: 'noted', why: `disputed at the provider: ${status}` };
  const { amount: received, provider_payment_id } = held;
  if (status !== 'lost' || received === null || currency !== held.currency) return noted;
  if (amount <= 0n || hasLostTo(held, id)) return noted;
  const found = await deps.cards.refundsOf(channel, provider_payment_id ?? '');
  if (found.kind === 'failed') return { kind: 'unclear', why: found.reason };
  const refunds = found.kind === 'found' ? found.value : [];
  if (isPartOfOrder(held)) return (await answerForRest(deps, channel, held, dispute, refunds)) ?? noted;
  const left = received - lostOf(held) - goneBack(newTo(held, refunds), currency);
  return amount < left
    ? { kind: 'noted', why: partTaken, lost: { dispute_id: id, amount } }
    : chargedBack({ dispute_id: id, amount: maxOf(left, 0n) });
}

const partTaken = 'a lost dispute has taken a part of the money';

/** The refunds that have not taken a part of the money of the case yet. */
export const newTo = (held: PaymentCase, refunds: readonly CardRefund[]): readonly CardRefund[] =>
  refunds.filter(({ id }) => !hasLostTo(held, id));

/** What a lost dispute about a receipt that paid an order has taken of the rest; null for nothing (D-801). */
async function answerForRest(
  deps: PaymentDeps,
  channel: Channel,
  held: PaymentCase,
  dispute: CardDispute,
  refunds: readonly CardRefund[],
): Promise<CaseAnswer | null> {
  const payment_id = held.provider_payment_id ?? '';
  const [attempt, found] = await Promise.all([
    selectAttemptByTrade(deps.db, channel.payment_no, payment_id),
    deps.cards.disputesOf(channel, payment_id),
  ]);
  if (found.kind === 'failed') return { kind: 'unclear', why: found.reason };
  if (attempt === null) return null;
  const { id: dispute_id, currency } = dispute;
  // The list may not have this dispute yet.
  const others = (found.kind === 'found' ? found.value : []).filter(({ id }) => id !== dispute_id);
  const ofOrder = refunds.filter((refund) => !isOfCase(held, refund));
  const gone = lostAmount([dispute, ...others], currency) + goneBack(ofOrder, currency);
  const before = attempt.amount + lostOf(held);
  const rest = (held.amount ?? 0n) - before;
  const amount = minOf(minOf(gone - before, dispute.amount), rest);
  if (amount <= 0n) return null;
  return amount === rest
    ? chargedBack({ dispute_id, amount, ...(gone > (held.amount ?? 0n) ? { is_beyond: true } : {}) })
    : { kind: 'noted', why: partTaken, lost: { dispute_id, amount, of_rest: true } };
}

/** What refunds have returned for certain. */
const goneBack = (refunds: readonly CardRefund[], currency: string): bigint =>
  refunds
    .filter((refund) => refund.status === 'succeeded' && refund.currency === currency)
    .reduce((sum, refund) => sum + refund.amount, 0n);

const chargedBack = (charged_back: ChargedBack): CaseAnswer => ({
  kind: 'returned',
  resolution: 'cleared',
  why: 'charged back at the provider',
  charged_back,
});

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

const isOfCase = ({ case_id }: PaymentCase, refund: CardRefund): boolean => refund.case_id === case_id;
