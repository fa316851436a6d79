import { hours, later, minutes } from '../../base/time/clock.ts';
import type { Tx, Write } from '../../base/pg/index.ts';
import type { CardDispute, CardRefund, Channel } from '../../channels/index.ts';
import { lockBalance, post } from '../../ledger/books/index.ts';
import {
  type PaymentCase,
  type Resolution,
  resolved,
  returnEntry,
  suspenseOf,
  claimDueCases,
  selectBooksWithCases,
  selectCaseByPayment,
  selectCaseForUpdate,
  updateCase,
} from '../cases/index.ts';
import { type PaymentDeps, carryOnDue, ended, type Followed } from '../engine/index.ts';
import { selectAttempt } from '../attempts/index.ts';
import { viewOf } from '../losses/index.ts';
import { settled } from '../settling/index.ts';
import { InvariantError } from '../../base/errors.ts';
import { examineReceipt } from './unmatched-receipts.ts';

/**
 * Carries a case on, outside any transaction: asks the provider for its refund, or asks after what it has, and
 * applies the answer; or looks at an unmatched receipt again. A refund is asked for under one key, however often
 * and by whomever; one that failed for certain sets the case free for another decision.
 *
 * @returns the case as it now stands
 */
export async function pursueCase(deps: PaymentDeps, open: PaymentCase): Promise<PaymentCase> {
  if (open.refund_status === null) return examineReceipt(deps, open);
  const channel = await deps.channels.find(open.payment_no ?? '');
  if (channel === null) throw new InvariantError('a receipt without a channel');
  const answer =
    open.refund_status === 'requested' ? await ask(deps, channel, open) : await look(deps, channel, open);
  return applied(deps, open, answer);
}

/** What is known of the return of a case's money. */
type Answer =
  | { kind: 'returned'; resolution: Resolution; why: string; provider_refund_id?: string }
  | { kind: 'pending'; provider_refund_id: string }
  /** It will not come, not by this request. */
  | { kind: 'failed'; why: string }
  | { kind: 'unclear'; why: string }
  /** Worth telling, and nothing to do. */
  | { kind: 'noted'; why: string };

const wordsForRefund = 'confirmed by the provider';

async function ask(deps: PaymentDeps, channel: Channel, open: PaymentCase): Promise<Answer> {
  const { case_id, refund_seq, refund_amount, currency, provider_payment_id, order_no } = open;
  if (refund_amount === null || currency === null || provider_payment_id === null) {
    throw new InvariantError('a refund of nothing');
  }
  const asked = await deps.cards.refund(channel, {
    payment_id: provider_payment_id,
    amount: refund_amount,
    currency,
    idempotency_key: refund_seq === 1 ? `case_${case_id}` : `case_${case_id}_${refund_seq}`,
    metadata: { case_id, ...(order_no === null ? {} : { order_no }) },
  });
  switch (asked.kind) {
    case 'created':
      return answerFrom(open, [asked.refund], 'failed at the provider');
    case 'unclear':
      return { kind: 'unclear', why: asked.reason };
    case 'refused': {
      // It may have been refunded before: in the dashboard, or by a request of ours whose answer was lost.
      const found = await deps.cards.refundsOf(channel, provider_payment_id);
      if (found.kind === 'failed') return { kind: 'unclear', why: found.reason };
      const answer = answerFrom(open, found.kind === 'found' ? found.value : [], asked.reason);
      return answer.kind === 'failed' ? lostOr(deps, channel, open, answer) : answer;
    }
  }
}

/** What a refusal means where the bank has taken the money back: news of that may have come before the case was known. */
async function lostOr(
  deps: PaymentDeps,
  channel: Channel,
  open: PaymentCase,
  otherwise: Answer,
): Promise<Answer> {
  if (isPartOfOrder(open)) return otherwise;
  const found = await deps.cards.disputesOf(channel, open.provider_payment_id ?? '');
  if (found.kind === 'failed') return { kind: 'unclear', why: found.reason };
  const lost = found.kind === 'found' ? found.value.find((dispute) => isAllLost(open, dispute)) : undefined;
  return lost === undefined ? otherwise : chargedBack;
}

/** Whether a dispute has cost all of a receipt. */
const isAllLost = (held: PaymentCase, { status, amount, currency }: CardDispute): boolean =>
  status === 'lost' && amount === held.amount && currency === held.currency;

const chargedBack: Answer = { kind: 'returned', resolution: 'cleared', why: 'charged back at the provider' };

async function look(deps: PaymentDeps, channel: Channel, open: PaymentCase): Promise<Answer> {
  const found = await deps.cards.refundById(channel, open.provider_refund_id ?? '');
  if (found.kind === 'found') return answerFrom(open, [found.value], 'failed at the provider');
  // A refund that was there once and is not found is a fault of the look-up, never a proof.
  return { kind: 'unclear', why: found.kind === 'failed' ? found.reason : 'refund not found' };
}

/** Reads refunds of a case's payment against what is to go back. */
function answerFrom(open: PaymentCase, refunds: readonly CardRefund[], otherwise: string): Answer {
  const { refund_amount, amount, currency } = open;
  const due = { amount: refund_amount ?? amount ?? 0n, currency: currency ?? '' };
  const view = viewOf(due, isPartOfOrder(open) ? refunds.filter((known) => isOf(open, known)) : refunds);
  switch (view.kind) {
    case 'full': {
      const { provider_refund_id } = view;
      return { kind: 'returned', resolution: 'refund', why: wordsForRefund, provider_refund_id };
    }
    case 'pending':
      return { kind: 'pending', provider_refund_id: view.provider_refund_id };
    case 'none':
      return { kind: 'failed', why: otherwise };
    case 'partial':
      return { kind: 'failed', why: `${view.returned} of ${due.amount} minor units have gone back` };
  }
}

const isOf = ({ case_id }: PaymentCase, refund: CardRefund): boolean => refund.case_id === case_id;

/** Whether the order was paid out of the receipt, and only the rest is left: the payment has two owners then. */
const isPartOfOrder = ({ detail }: PaymentCase): boolean => detail.accepted !== undefined;

/** Writes what has become of a case's money, under its order's lock; what others have written meanwhile stands. */
function applied(deps: PaymentDeps, { merchant_id, order_no, case_id }: PaymentCase, answer: Answer) {
  return deps.db.transaction(async (tx) => {
    if (order_no !== null) await deps.kindOf(order_no).lock(tx, merchant_id, order_no);
    const open = await selectCaseForUpdate(tx, { merchant_id, case_id });
    if (open === null) throw new InvariantError('a case is gone');
    if (open.state !== 'open') return open;
    const { after, writes } = await outcome(deps, tx, open, answer);
    await tx.write([updateCase(open, after), ...writes]);
    return after;
  });
}

async function outcome(
  deps: PaymentDeps,
  tx: Tx,
  open: PaymentCase,
  answer: Answer,
): Promise<{ after: PaymentCase; writes: Write[] }> {
  const now = deps.clock.now();
  const { refund_status, detail } = open;
  const age_ms = now.getTime() - open.opened_at.getTime();
  const check_at = refund_status === null ? null : later(now, age_ms < hours(1) ? minutes(1) : hours(1));
  switch (answer.kind) {
    case 'returned': {
      const { resolution, why, provider_refund_id = open.provider_refund_id } = answer;
      const end = resolved(open, resolution, open.reason ?? why, now);
      const after = { ...end, provider_refund_id, detail: { ...detail, last: why } };
      return { after, writes: await returned(deps, tx, open, now) };
    }
    case 'pending': {
      const { provider_refund_id } = answer;
      const last = 'the refund is under way at the provider';
      if (refund_status === null) return { after: { ...open, detail: { ...detail, last } }, writes: [] };
      const pending = { refund_status: 'pending', provider_refund_id, check_at } as const;
      return { after: { ...open, ...pending, detail: { ...detail, last } }, writes: [] };
    }
    case 'failed': {
      const free = { refund_status: null, resolution: null, reason: null, check_at: null } as const;
      return { after: { ...open, ...free, detail: { ...detail, last: answer.why } }, writes: [] };
    }
    case 'unclear':
      return {
        after: { ...open, check_at, detail: { ...detail, last: `unclear: ${answer.why}` } },
        writes: [],
      };
    case 'noted':
      return { after: { ...open, detail: { ...detail, last: answer.why } }, writes: [] };
  }
}

/** What follows from the money having left: suspense is empty (P10r), and an attempt that waited for it is closed. */
async function returned(deps: PaymentDeps, tx: Tx, open: PaymentCase, now: Date): Promise<Write[]> {
  const { merchant_id, attempt_id, case_id, kind, booked } = open;
  const left = booked ? await lockBalance(tx, merchant_id, suspenseOf(open)) : 0n;
  const book = left > 0n ? post(returnEntry(open, left), now).book : [];
  const attempt = attempt_id === null ? null : await selectAttempt(tx, merchant_id, attempt_id);
  if (attempt?.state !== 'mismatch' || kind !== 'mismatch') return book;
  const { writes } = await settled(deps, tx, attempt, { kind: 'returned', why: case_id });
  return [...book, ...writes];
}

/**
 * Applies refunds of a payment, seen at the provider, to the case that holds it; whoever asked for them (D-082).
 *
 * @returns null where no case holds the payment, or an order owns a part of it as well
 */
export async function followCaseRefunds(
  deps: PaymentDeps,
  payment_no: string,
  payment_id: string,
  refunds: readonly CardRefund[],
): Promise<Followed | null> {
  const held = await selectCaseByPayment(deps.db, payment_no, payment_id);
  if (held === null) return null;
  if (held.state === 'open') {
    const answer = answerFrom(held, refunds, '');
    // A list proves nothing about a request that is under way.
    if (answer.kind === 'returned' || answer.kind === 'pending') await applied(deps, held, answer);
    else if (answer.why !== '' && held.refund_status === null) {
      await applied(deps, held, { kind: 'noted', why: answer.why });
    }
  }
  return isPartOfOrder(held) ? null : ended(`part of case ${held.case_id}`);
}

/**
 * Applies a dispute about a payment to the case that holds it: lost, its money is gone.
 *
 * @returns null where no case holds the payment, or an order owns a part of it as well
 */
export async function followCaseDispute(
  deps: PaymentDeps,
  payment_no: string,
  dispute: CardDispute,
): Promise<Followed | null> {
  const { payment_id, status } = dispute;
  const held = payment_id === null ? null : await selectCaseByPayment(deps.db, payment_no, payment_id);
  if (held === null) return null;
  const noted: Answer = { kind: 'noted', why: `disputed at the provider: ${status}` };
  const answer = isAllLost(held, dispute) ? chargedBack : noted;
  // Somebody may have accepted it meanwhile: then the order lost its part as well.
  const after = held.state === 'open' ? await applied(deps, held, answer) : held;
  return isPartOfOrder(after) ? null : ended(`part of case ${held.case_id}`);
}

/**
 * One pass over the cases that are due: refunds that are under way, and receipts that may yet be matched.
 *
 * @returns how many were looked at
 */
export async function pursueDueCases(deps: PaymentDeps, limit = 100): Promise<number> {
  return carryOnDue(deps, {
    merchants: await selectBooksWithCases(deps.db, deps.clock.now(), limit),
    claim: (tx, merchant_id, now) =>
      claimDueCases(tx, merchant_id, now, later(now, 2 * deps.lease_ms), limit),
    carryOn: (open) => pursueCase(deps, open),
    failure: 'a case cannot be carried on',
    nameOf: ({ case_id }) => ({ case_id }),
  });
}
