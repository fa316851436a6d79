/**
 * Looks up refunds and disputes that a webhook or a schedule names, and applies what the provider says to the case or
 * the order that holds the payment. Never inside a transaction.
 */
import { later } from '../../base/time/clock.ts';
import { isPaid, selectAttemptByTrade, selectAttempts } from '../attempts/index.ts';
import {
  type Complaint,
  claimDueComplaints,
  selectMerchantsDisputed,
  disputeLook_ms,
  settleDispute,
  settleRefund,
} from '../losses/index.ts';
import { type PaymentDeps, carryOnDue, again, ended, type Followed, notSettledYet } from '../engine/index.ts';
import { followCaseDispute, followCaseRefunds } from './pursue-case.ts';

/** Looks a dispute up at the provider and applies it; never inside a transaction. */
export async function followDispute(
  deps: PaymentDeps,
  payment_no: string,
  dispute_id: string,
): Promise<Followed> {
  const channel = await deps.channels.find(payment_no);
  if (channel === null) return ended('no such channel');
  const found = await deps.cards.dispute(channel, dispute_id);
  if (found.kind === 'failed') return again(`look-up failed: ${found.reason}`);
  if (found.kind === 'none' || found.value.payment_id === null) return ended('no such dispute');
  const ofCase = await followCaseDispute(deps, payment_no, found.value);
  if (ofCase !== null) return ofCase;
  const attempt = await selectAttemptByTrade(deps.db, payment_no, found.value.payment_id);
  return attempt === null ? notSettledYet : settleDispute(deps, attempt, found.value);
}

/**
 * One pass over the disputes of which nothing was heard for a while.
 *
 * @returns how many were looked up
 */
export async function followDueDisputes(deps: PaymentDeps, limit = 100): Promise<number> {
  return carryOnDue(deps, {
    merchants: await selectMerchantsDisputed(deps.db, deps.clock.now(), limit),
    claim: (tx, merchant_id, now) =>
      claimDueComplaints(tx, merchant_id, now, later(now, disputeLook_ms), limit),
    carryOn: (complaint) => followComplaint(deps, complaint),
    failure: 'a dispute cannot be followed',
    nameOf: ({ complaint_id }) => ({ complaint_id }),
  });
}

async function followComplaint(
  deps: PaymentDeps,
  { merchant_id, order_no, dispute_id }: Complaint,
): Promise<void> {
  const attempts = await selectAttempts(deps.db, merchant_id, order_no);
  const payment_no = attempts.find(isPaid)?.payment_no;
  if (payment_no !== undefined && dispute_id !== null) await followDispute(deps, payment_no, dispute_id);
}

/** Looks up all refunds of a payment that a hint names, and applies them; never inside a transaction. */
export async function followRefunds(
  deps: PaymentDeps,
  payment_no: string,
  payment_id: string,
): Promise<Followed> {
  const [channel, attempt] = await Promise.all([
    deps.channels.find(payment_no),
    selectAttemptByTrade(deps.db, payment_no, payment_id),
  ]);
  if (channel === null) return ended('no such channel');
  const found = await deps.cards.refundsOf(channel, payment_id);
  if (found.kind === 'failed') return again(`look-up failed: ${found.reason}`);
  const refunds = found.kind === 'found' ? found.value : [];
  const ofCase = await followCaseRefunds(deps, payment_no, payment_id, refunds);
  if (ofCase !== null) return ofCase;
  if (attempt === null) return notSettledYet;
  return settleRefund(deps, attempt, { refunds });
}
