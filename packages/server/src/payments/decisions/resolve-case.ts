import type { Tx } from '../../base/pg/index.ts';
import { lockBalance } from '../../ledger/books/index.ts';
import { effectiveState, isPaid, selectAttempt } from '../attempts/index.ts';
import { settleInTransaction } from '../settling/index.ts';
import {
  caseRepaymentEntry,
  lostOf,
  type PaymentCase,
  resolved,
  selectCase,
  selectCaseForUpdate,
  suspenseOf,
  updateCase,
} from '../cases/index.ts';
import type { PaymentDeps } from '../engine/index.ts';
import { selectQuotes } from '../quotes/index.ts';
import { AppError, invalid, InvariantError } from '../../base/errors.ts';
import { later } from '../../base/time/clock.ts';
import { adoptReceipt, findNamedOrder } from './adopt-receipt.ts';
import { demandAction, isRepayable, refusal } from './case-actions.ts';
import { bookReturn, selectWaitingBeside } from '../case-money/index.ts';
import type { CaseDecision, Decision, Outcome } from './case-decision.ts';
import { closeCase } from './close-case.ts';

/**
 * Resolves a case by a person's decision (docs/states.md), in one transaction under the order's lock. A refund is only
 * stored here: `pursueCase` requests it from the provider after the commit, and the case is resolved when the provider has
 * confirmed it.
 *
 * Invariant: a case is decided once, and an attempt and an order are paid at most once. All of them are read under the
 * order's lock.
 *
 * @returns the case before and after
 * @throws AppError `not_found`, or `payment_conflict` if the case does not allow the action now
 */
export async function resolveCase(
  deps: PaymentDeps,
  tx: Tx,
  case_id: string,
  decision: CaseDecision,
): Promise<{ before: PaymentCase; after: PaymentCase }> {
  const found = await selectCase(tx, case_id);
  if (found === null) throw new AppError('not_found');
  const { merchant_id, order_no, attempt_id } = found;
  const about =
    decision.action === 'adopt'
      ? await findNamedOrder(deps, tx, found)
      : order_no === null
        ? null
        : { merchant_id, order_no };
  const order =
    about === null ? null : await deps.kindOf(about.order_no).lock(tx, about.merchant_id, about.order_no);
  const [before, attempt] = await Promise.all([
    selectCaseForUpdate(tx, found),
    selectAttempt(tx, merchant_id, attempt_id ?? ''),
  ]);
  if (before === null) throw new InvariantError('a case is gone');
  demandAction(before, decision.action);
  if (decision.loss_amount !== undefined && decision.action !== 'close')
    throw invalid('loss_amount', 'Only a case that is closed has a loss.');
  const of = { before, order, attempt, ...decision };
  const { writes, wallets = [], after } = await applyDecision(deps, tx, of);
  // A merchant's book before people's wallets, as every loss of a top-up locks them.
  await tx.write([...writes, updateCase(before, after)]);
  await tx.write(wallets);
  return { before, after };
}

function applyDecision(deps: PaymentDeps, tx: Tx, decision: Decision): Promise<Outcome> {
  switch (decision.action) {
    case 'accept':
      return acceptReceipt(deps, tx, decision);
    case 'adopt':
      return adoptReceipt(deps, tx, decision);
    case 'refund':
      return requestCaseRefund(deps, tx, decision);
    case 'repay':
      return repayByBank(deps, tx, decision);
    case 'void':
      return endAttempt(deps, tx, decision, 'voided');
    case 'absent':
      return endAttempt(deps, tx, decision, 'given_up');
    case 'close':
      return closeCase(deps, tx, decision);
  }
}

/** The receipt pays the order: at least the buyer's total, in its currency. The rest stays in suspense (P11, P1). */
async function acceptReceipt(deps: PaymentDeps, tx: Tx, at: Decision): Promise<Outcome> {
  const { before, order, attempt, reason } = at;
  const { amount, currency, paid_at, provider_payment_id, booked } = before;
  if (
    order === null ||
    attempt === null ||
    amount === null ||
    paid_at === null ||
    provider_payment_id === null
  ) {
    throw refusal('Nothing was received that could be accepted.');
  }
  // guard: accepted-for-unpaid-orders-only
  if (order.phase === 'settled') throw refusal('The order has been paid already.');
  // An attempt is paid once. Its payment can have come too late to fulfil the order.
  // guard: accepted-for-unpaid-attempts-only
  if (isPaid(attempt)) throw refusal('The attempt has been paid by another receipt.');
  // guard: accepted-in-the-orders-currency
  if (currency !== attempt.currency) throw refusal(`The order must be paid in ${attempt.currency}.`);
  // guard: accepted-where-it-covers
  if (amount < attempt.amount) throw refusal('The receipt is less than the buyer had to pay.');
  const quotes = await selectQuotes(tx, order.merchant_id, order.order_no);
  const owner = quotes.find(({ method_id }) => method_id === attempt.method_id)?.owner;
  if (owner === 'platform' && !booked) throw refusal('Nothing was received that could be accepted.');

  const why = before.case_id;
  const accepted = {
    kind: 'accepted',
    receipt: before,
    trade_no: provider_payment_id,
    occurred_at: paid_at,
    why,
  } as const;
  const { writes, wallets } = await settleInTransaction(deps, tx, attempt, accepted);
  const now = deps.clock.now();
  const isAllUsed = !booked || amount === attempt.amount;
  const used = { ...before, detail: { ...before.detail, accepted: reason } };
  // A part of what an earlier refund was to return is the order's now.
  const refund_amount = before.refund_amount === null ? null : amount - attempt.amount;
  const after = isAllUsed ? resolved(used, 'accept', reason, now) : { ...used, refund_amount };
  return { after, writes, wallets };
}

async function requestCaseRefund(deps: PaymentDeps, tx: Tx, { before, reason }: Decision): Promise<Outcome> {
  const { merchant_id, booked, amount, provider_payment_id, refund_seq } = before;
  const left = booked
    ? await lockBalance(tx, merchant_id, suspenseOf(before))
    : amount === null
      ? null
      : amount - lostOf(before);
  if (left === null || left === 0n || provider_payment_id === null) {
    throw refusal('The case holds no money that could be refunded.');
  }
  const after: PaymentCase = {
    ...before,
    resolution: 'refund',
    reason,
    refund_status: 'requested',
    refund_amount: left,
    provider_refund_id: null,
    refund_seq: refund_seq + 1,
    // If this process dies, a worker continues.
    check_at: later(deps.clock.now(), 2 * deps.lease_ms),
  };
  return { after, writes: [] };
}

/** The platform has paid the money to the buyer by bank, after a refund at the provider had failed (D-668, P10b). */
async function repayByBank(deps: PaymentDeps, tx: Tx, { before, reason }: Decision): Promise<Outcome> {
  if (!isRepayable(before)) throw refusal('Try to refund the money at the provider first.');
  const now = deps.clock.now();
  const { left, writes } = await bookReturn(deps, tx, before, now, caseRepaymentEntry);
  return { after: { ...resolved(before, 'repay', reason, now), refund_amount: left }, writes };
}

/** Ends the attempt without a payment, because its session is closed or does not exist (T7, T8, D-093). */
async function endAttempt(
  deps: PaymentDeps,
  tx: Tx,
  { before, order, attempt, action, reason }: Decision,
  kind: 'voided' | 'given_up',
): Promise<Outcome> {
  if (attempt === null || order === null) throw refusal('No attempt waits for this decision.');
  if (before.amount !== null) throw refusal('Money was received: accept or refund it.');
  const state = effectiveState(attempt, deps.clock.real());
  if (state !== (kind === 'voided' ? 'mismatch' : 'unknown')) throw refusal(`The attempt is now ${state}.`);
  if (kind === 'given_up' && order.phase !== 'review') throw refusal('The order is not in review.');
  if (attempt.lease_until !== null && attempt.lease_until > deps.clock.real()) {
    throw refusal('Paydesk is requesting the session from the provider. Try again in a minute.');
  }
  const beside = kind === 'voided' ? await selectWaitingBeside(tx, attempt, before.case_id) : [];
  // It ends with the decision about its last receipt (D-903).
  const ended = beside.some(({ amount }) => amount !== null)
    ? { writes: [] }
    : await settleInTransaction(deps, tx, attempt, { kind, why: before.case_id });
  return { ...ended, after: resolved(before, action, reason, deps.clock.now()) };
}
