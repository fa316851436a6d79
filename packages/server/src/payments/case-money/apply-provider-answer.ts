/** Applies the provider's answer about the money of a case to the case. */
import { hours, later, minutes } from '../../base/time/clock.ts';
import type { Tx, Write } from '../../base/pg/index.ts';
import { type Entry, lockBalance, post } from '../../ledger/books/index.ts';
import {
  hasLostTo,
  isPartOfOrder,
  lostOf,
  lostPartEntry,
  type PaymentCase,
  resolved,
  caseReturnEntry,
  selectCaseForUpdate,
  suspenseOf,
  takerId,
  updateCase,
} from '../cases/index.ts';
import type { PaymentDeps } from '../engine/index.ts';
import { InvariantError } from '../../base/errors.ts';
import type { CaseAnswer, LostAmount } from './provider-answer.ts';
import { endWaitingAttempt } from './end-waiting-attempt.ts';

/**
 * Applies an answer to a case, under the order's lock.
 *
 * Invariant: a case is resolved once. The case is read again under its lock, and a resolved case stays unchanged. What
 * a request has come to counts for this request only: a process that stood still may bring it when the next is under
 * way (D-733). A refund that failed leaves no reason of a person: if the money goes back later, the reason is the
 * provider's (D-697).
 *
 * @returns the case after it
 */
export function applyAnswer(
  deps: PaymentDeps,
  { merchant_id, order_no, case_id, refund_seq }: PaymentCase,
  answer: CaseAnswer,
) {
  return deps.db.transaction(async (tx) => {
    if (order_no !== null) await deps.kindOf(order_no).lock(tx, merchant_id, order_no);
    const open = await selectCaseForUpdate(tx, { merchant_id, case_id });
    if (open === null) throw new InvariantError('a case is gone');
    if (open.state !== 'open') return open;
    if (isOfOneRequest(answer) && open.refund_seq !== refund_seq) return open;
    const { after, writes } = await caseAfter(deps, tx, open, answer);
    await tx.write([updateCase(open, after), ...writes]);
    return after;
  });
}

const isOfOneRequest = ({ kind }: CaseAnswer): boolean =>
  kind === 'pending' || kind === 'failed' || kind === 'unclear';

async function caseAfter(
  deps: PaymentDeps,
  tx: Tx,
  open: PaymentCase,
  answer: CaseAnswer,
): Promise<{ after: PaymentCase; writes: Write[] }> {
  const now = deps.clock.now();
  const { refund_status, detail } = open;
  const age_ms = now.getTime() - open.opened_at.getTime();
  const check_at = refund_status === null ? null : later(now, age_ms < hours(1) ? minutes(1) : hours(1));
  switch (answer.kind) {
    case 'returned': {
      const { resolution, why, provider_refund_id = open.provider_refund_id } = answer;
      const end = resolved(open, resolution, open.reason ?? why, now);
      const by = answer.charged_back;
      const charged_back = by === undefined ? {} : { charged_back: { ...by, amount: by.amount.toString() } };
      const after = { ...end, provider_refund_id, detail: { ...detail, ...charged_back, last: why } };
      const { writes } = await bookReturn(deps, tx, open, now);
      return { after, writes };
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
      const freed = { ...open, ...free, detail: { ...detail, last: answer.why } };
      return bookLostPart(tx, freed, answer.lost, now);
    }
    case 'unclear':
      return {
        after: { ...open, check_at, detail: { ...detail, last: `unclear: ${answer.why}` } },
        writes: [],
      };
    case 'noted': {
      const { why: last, lost, in_other_currency: id } = answer;
      const other = id === undefined ? {} : { lost_in_other_currency: id };
      return bookLostPart(tx, { ...open, detail: { ...detail, ...other, last } }, lost, now);
    }
  }
}

/**
 * The case after a lost dispute or a refund has taken a part of its money, which leaves suspense (P10r, D-725, D-845). Its
 * refund under way may be about that part: it is booked only when the refund has ended.
 *
 * Invariant: each takes its part once. The case is locked and knows them, and the number is in the entry's key.
 */
export async function bookLostPart(
  tx: Tx,
  open: PaymentCase,
  lost: LostAmount | undefined,
  now: Date,
): Promise<{ after: PaymentCase; writes: Write[] }> {
  const { merchant_id, booked, amount, refund_status, refund_amount, detail } = open;
  const unchanged = { after: open, writes: [] };
  if (lost === undefined || refund_status !== null) return unchanged;
  const { amount: taken, of_rest = false, ...by } = lost;
  // If the receipt has paid an order meanwhile, this is about the order's part first.
  if (isPartOfOrder(open) !== of_rest || hasLostTo(open, takerId(by))) return unchanged;
  const held = booked ? await lockBalance(tx, merchant_id, suspenseOf(open)) : (amount ?? 0n) - lostOf(open);
  const left = held - taken;
  if (left <= 0n) return unchanged;
  const part = { ...by, amount: taken.toString(), at: now.toISOString() };
  const lost_parts = [...(detail.lost_parts ?? []), part];
  return {
    after: {
      ...open,
      refund_amount: refund_amount === null ? null : left,
      detail: { ...detail, lost_parts },
    },
    writes: booked ? post([lostPartEntry(open, by, taken)], now).book : [],
  };
}

/**
 * The writes after the money of a case has gone back: empties suspense, and closes an attempt that waited for it.
 *
 * @param entryFor the entry for the amount that was left in suspense; by default P10r
 * @returns the writes, and that amount
 */
export async function bookReturn(
  deps: PaymentDeps,
  tx: Tx,
  open: PaymentCase,
  now: Date,
  entryFor: (open: PaymentCase, left: bigint) => Entry = caseReturnEntry,
): Promise<{ left: bigint; writes: Write[] }> {
  const { merchant_id, booked } = open;
  const left = booked ? await lockBalance(tx, merchant_id, suspenseOf(open)) : 0n;
  const book = left > 0n ? post([entryFor(open, left)], now).book : [];
  return { left, writes: [...book, ...(await endWaitingAttempt(deps, tx, open))] };
}
