/** Compares the records of a channel's account at the provider with ours, and keeps the result. */
import { later, minutes } from '../../base/time/clock.ts';
import { ulidBefore } from '../../base/ids.ts';
import {
  type CardDispute,
  type CardRefund,
  type CardSession,
  type Channel,
  tradeNo,
} from '../../channels/index.ts';
import { type Attempt, isPaid, selectAttempt, selectAttemptByTrade } from '../attempts/index.ts';
import { readPaidAt } from '../card/index.ts';
import {
  hasCase,
  isBookedElsewhere,
  isPaidBack,
  isPartOfOrder,
  isRefundOfCase,
  type PaymentCase,
  selectCaseByPayment,
  takenTo,
} from '../cases/index.ts';
import { failedOfCase } from '../case-money/index.ts';
import { isOurSession } from '../unmatched/index.ts';
import { selectDisputeById } from '../disputes/index.ts';
import type { PaymentDeps } from '../engine/index.ts';
import {
  type Complaint,
  failedAfterBooking,
  type Refund,
  refundView,
  selectComplaints,
  selectRefunds,
  sumOfLosses,
} from '../losses/index.ts';
import { refundsOfOrder } from '../refunds/index.ts';
import { countsAsMoney } from '../settling/index.ts';
import type { Difference } from './difference.ts';
import { type ProviderRecords, readProvider } from './read-provider.ts';
import {
  insertReconciliation,
  type Reconciliation,
  type RunBy,
  selectPaidAttempts,
} from './reconciliation.sql.ts';

export interface ReconciliationRequest {
  since: Date;
  until: Date;
  run_by: RunBy;
}

/** A payment of the last minutes can still be under way to us: a nightly run does not report it. */
const underWay_ms = minutes(5);

/**
 * Reads the provider's sessions, payments, refunds, disputes and events of a time, and lists what one side lacks (D-103).
 * It changes only the kept result. Never call it inside a transaction.
 */
export async function reconcileChannel(
  deps: PaymentDeps,
  channel: Channel,
  request: ReconciliationRequest,
): Promise<{ result: Reconciliation; records: ProviderRecords | null }> {
  const { since, until, run_by } = request;
  const ran_at = deps.clock.now();
  const read = await readProvider(deps, channel, since, until);
  const isRead = !('failure' in read);
  const compared = isRead ? await compare(deps, channel, read, request) : { differences: [], failure: null };
  const result: Reconciliation = {
    ...{ reconciliation_id: `rc_${deps.ids.ulid(ran_at)}`, payment_no: channel.payment_no },
    ...{ run_by, since, until, ran_at },
    sessions: isRead ? read.sessions.length : 0,
    payments: isRead ? read.sessions.filter(({ paid }) => paid).length : 0,
    events: isRead ? (read.events ?? 0) : 0,
    differences: compared.differences,
    failure: isRead ? compared.failure : read.failure,
  };
  await deps.db.transaction((tx) => tx.finish([insertReconciliation(result)]));
  return { result, records: isRead ? read : null };
}

/** `failure`: the provider could not be asked, so its time is compared again (D-905). */
type Found = Difference | { failure: string } | null;

interface Compared {
  differences: Difference[];
  failure: string | null;
}

async function compare(
  deps: PaymentDeps,
  channel: Channel,
  { sessions, refunds, disputes }: ProviderRecords,
  request: ReconciliationRequest,
): Promise<Compared> {
  const differences: Difference[] = [];
  const failures: string[] = [];
  const add = (found: Found): void => {
    if (found !== null && 'failure' in found) failures.push(found.failure);
    else if (found !== null) differences.push(found);
  };
  for (const session of sessions) add(await compareSession(deps, channel, session, request));
  for (const refund of refunds) add(await compareRefund(deps, channel, refund));
  for (const dispute of disputes) add(await compareDispute(deps, channel, dispute));
  const there = await findMissingThere(deps, channel, sessions, request);
  return { differences: [...differences, ...there.differences], failure: failures[0] ?? there.failure };
}

async function compareSession(
  deps: PaymentDeps,
  channel: Channel,
  session: CardSession,
  { run_by }: ReconciliationRequest,
): Promise<Difference | null> {
  if (!session.paid || !isOurSession(channel, session) || !countsAsMoney(session)) return null;
  const { payment_no } = channel;
  const payment_id = tradeNo(session);
  const [attempt, held] = await Promise.all([
    selectAttemptByTrade(deps.db, payment_no, payment_id),
    selectCaseByPayment(deps.db, payment_no, payment_id),
  ]);
  // Two of the platform's channels share the account, and the other one holds the payment.
  if (channel.merchant_id === null && (await isBookedElsewhere(deps.db, payment_no, payment_id))) return null;
  if (held !== null && !(run_by === 'after-restore' && isOpenReceipt(held))) return null;
  const found = paymentDifference(channel, session);
  if (attempt !== null && isPaid(attempt)) {
    const isSame = attempt.amount === session.amount && attempt.currency === session.currency;
    return isSame ? null : { ...found, kind: 'amount_differs' };
  }
  if (await isOfOtherChannel(deps, channel, session)) return null;
  if (run_by === 'worker') {
    const paid_at = await readPaidAt(deps, channel, session);
    if (paid_at === null || paid_at > later(deps.clock.real(), -underWay_ms)) return null;
  }
  return found;
}

/** An order that was missing may be there by now, or what kept it from using the payment may be mended. */
const isOpenReceipt = ({ kind, state, refund_status }: PaymentCase): boolean =>
  kind === 'unmatched_receipt' && state === 'open' && refund_status === null;

/** Two channels of one account list each other's sessions. */
async function isOfOtherChannel(
  { db }: PaymentDeps,
  { payment_no }: Channel,
  { merchant_id, reference }: CardSession,
): Promise<boolean> {
  if (merchant_id === null || reference === null || !uuid.test(merchant_id)) return false;
  const attempt = await selectAttempt(db, merchant_id, reference);
  return attempt !== null && attempt.payment_no !== payment_no;
}

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

const paymentDifference = ({ payment_no }: Channel, session: CardSession): Difference => ({
  kind: 'payment_missing_here',
  payment_no,
  session_id: session.id,
  provider_payment_id: tradeNo(session),
  provider_id: null,
  attempt_id: session.reference,
  order_no: session.order_no,
  merchant_id: session.merchant_id,
  amount_minor: session.amount?.toString() ?? null,
  currency: session.currency,
});

/**
 * A refund or a dispute of a payment that settled an order here, and that the order does not know; or of a receipt that was
 * paid back already.
 */
async function compareRefund(deps: PaymentDeps, channel: Channel, refund: CardRefund): Promise<Found> {
  if (refund.payment_id === null || refund.status === 'pending') return null;
  if (refund.status === 'failed') return compareFailedRefund(deps, channel, refund, refund.payment_id);
  if (await isRefundOfCase(deps.db, refund)) return null;
  const held = await selectCaseByPayment(deps.db, channel.payment_no, refund.payment_id);
  if (held !== null && !isPartOfOrder(held)) {
    const isUntold = held.resolution === 'repay' && (await isToldByNoCase(deps, held, refund));
    return isUntold ? lossDifference('refund_missing_here', channel, held, refund) : null;
  }
  const attempt = await selectAttemptByTrade(deps.db, channel.payment_no, refund.payment_id);
  if (attempt === null || !isPaid(attempt)) return null;
  const known = await selectRefunds(deps.db, attempt.merchant_id, attempt.order_no);
  if (known.some(({ provider_refund_id }) => provider_refund_id === refund.id)) return null;
  // Several partial refunds that make up the whole are one refund here.
  if (known.some(({ status }) => status === 'succeeded')) return null;
  if (await isToldByCase(deps, attempt, refund)) return null;
  if (await isPartOfKnown(deps, channel, attempt, refund.payment_id, known)) return null;
  return lossDifference('refund_missing_here', channel, attempt, refund);
}

/** A refund that has failed after it was booked, of an order or of a case, and that no case tells (D-872). */
async function compareFailedRefund(
  deps: PaymentDeps,
  channel: Channel,
  refund: CardRefund,
  payment_id: string,
): Promise<Found> {
  const [held, attempt] = await Promise.all([
    selectCaseByPayment(deps.db, channel.payment_no, payment_id),
    selectAttemptByTrade(deps.db, channel.payment_no, payment_id),
  ]);
  const of = held ?? attempt;
  if (of === null || (await isToldByCase(deps, of, refund))) return null;
  const found = await deps.cards.refundsOf(channel, payment_id);
  if (found.kind === 'failed') return { failure: found.reason };
  if (found.kind === 'none') return null;
  const failed = held === null ? [] : failedOfCase(held, found.value);
  if (attempt !== null && (held === null || isPartOfOrder(held))) {
    const { merchant_id, order_no } = attempt;
    const [known, complaints, refunds] = await Promise.all([
      selectRefunds(deps.db, merchant_id, order_no),
      selectComplaints(deps.db, merchant_id, order_no),
      refundsOfOrder(deps, found.value),
    ]);
    const ofOrder = failedAfterBooking(attempt, known, sumOfLosses(complaints), refunds);
    if (ofOrder !== null) failed.push(ofOrder);
  }
  const isUntold = failed.some(({ id }) => id === refund.id);
  return isUntold ? lossDifference('refund_failed_there', channel, of, refund) : null;
}

/** Whether several refunds together are the partial return that the order knows (D-076). */
async function isPartOfKnown(
  deps: PaymentDeps,
  channel: Channel,
  attempt: Attempt,
  payment_id: string,
  known: readonly Refund[],
): Promise<boolean> {
  const parts = known.filter(({ status }) => status === 'partial');
  if (parts.length === 0) return false;
  const found = await deps.cards.refundsOf(channel, payment_id);
  if (found.kind !== 'found') return false;
  const view = refundView(attempt, await refundsOfOrder(deps, found.value));
  return view.kind === 'partial' && parts.some(({ amount }) => amount === view.returned);
}

/** Whether a case tells, or told before it was closed, of a refund or a dispute that contradicts the books (D-850). */
const isToldByCase = (
  { db }: PaymentDeps,
  { merchant_id }: Pick<Attempt, 'merchant_id'>,
  { id }: CardRefund | CardDispute,
): Promise<boolean> => hasCase(db, { merchant_id, kind: 'mismatch', dedupe_key: id });

/** Whether money that was paid back has gone back at the provider as well, and no case tells it (D-696). */
const isToldByNoCase = async (
  deps: PaymentDeps,
  held: PaymentCase,
  seen: CardRefund | CardDispute,
): Promise<boolean> =>
  isPaidBack(held) && takenTo(held, seen.id) === 0n && !(await isToldByCase(deps, held, seen));

async function compareDispute(
  deps: PaymentDeps,
  channel: Channel,
  dispute: CardDispute,
): Promise<Difference | null> {
  if (dispute.payment_id === null || dispute.status === 'won') return null;
  const held = await selectCaseByPayment(deps.db, channel.payment_no, dispute.payment_id);
  if (held !== null && !isPartOfOrder(held)) {
    const isUntold = await isToldByNoCase(deps, held, dispute);
    return isUntold ? lossDifference('dispute_missing_here', channel, held, dispute) : null;
  }
  // It was about the rest only, which the case held (D-801).
  if (held !== null && takenTo(held, dispute.id) === dispute.amount) return null;
  const attempt = await selectAttemptByTrade(deps.db, channel.payment_no, dispute.payment_id);
  if (attempt === null || !isPaid(attempt)) return null;
  const known = await selectComplaints(deps.db, attempt.merchant_id, attempt.order_no);
  const complaint = known.find(({ dispute_id }) => dispute_id === dispute.id);
  // A lost dispute has its loss, or its complaint is open and looked up regularly. Else it is a difference (D-875).
  if (complaint?.status === 'confirmed' || complaint?.status === 'open') return null;
  if (await isToldByCase(deps, attempt, dispute)) return null;
  if (dispute.status === 'open' && (await isOpenHere(deps, known, dispute))) return null;
  return lossDifference('dispute_missing_here', channel, attempt, dispute);
}

/**
 * Whether it was seen, and a person has dismissed its complaint, or it takes over the complaint of another dispute when that
 * one has ended (D-870). Not if it was seen as ended, and was opened again (D-901).
 */
async function isOpenHere(
  { db }: PaymentDeps,
  known: readonly Complaint[],
  { id }: CardDispute,
): Promise<boolean> {
  const isSeen = known.some(
    ({ status, dispute_id }) => dispute_id === id || (status === 'open' && dispute_id !== null),
  );
  const seen = await selectDisputeById(db, id);
  return isSeen && seen !== null && seen.stage !== 'ended';
}

const lossDifference = (
  kind: Difference['kind'],
  { payment_no }: Channel,
  about: Pick<Difference, 'attempt_id' | 'order_no' | 'session_id'> & { merchant_id: string },
  { id, payment_id, amount, currency }: CardRefund | CardDispute,
): Difference => ({
  ...{ kind, payment_no, provider_id: id, provider_payment_id: payment_id, currency },
  session_id: about.session_id,
  attempt_id: about.attempt_id,
  order_no: about.order_no,
  merchant_id: about.order_no === null ? null : about.merchant_id,
  amount_minor: amount.toString(),
});

/** Payments that settled orders here in this time, and that the provider does not have. */
async function findMissingThere(
  deps: PaymentDeps,
  channel: Channel,
  sessions: readonly CardSession[],
  { since, until }: ReconciliationRequest,
): Promise<Compared> {
  const { payment_no } = channel;
  const paidThere = new Set(sessions.filter(({ paid }) => paid).map(({ id }) => id));
  const differences: Difference[] = [];
  const from_attempt_id = `pa_${ulidBefore(later(since, -minutes(25 * 60)))}`;
  for (const attempt of await selectPaidAttempts(deps.db, { payment_no, from_attempt_id, since, until })) {
    const { session_id, amount, provider_trade_no, ...names } = attempt;
    if (session_id !== null && paidThere.has(session_id)) continue;
    // A payment of another session was accepted: the provider has it under its own number.
    if (provider_trade_no !== null && (await hasPayment(deps, channel, sessions, provider_trade_no)))
      continue;
    const found = session_id === null ? null : await deps.cards.session(channel, session_id);
    if (found?.kind === 'failed') return { differences, failure: found.reason };
    if (found?.kind === 'found' && found.value.paid) continue;
    differences.push({
      ...{ ...names, session_id, payment_no, kind: 'payment_missing_there' },
      ...{ provider_payment_id: provider_trade_no, provider_id: null, amount_minor: amount.toString() },
    });
  }
  return { differences, failure: null };
}

async function hasPayment(
  { cards }: PaymentDeps,
  channel: Channel,
  sessions: readonly CardSession[],
  payment_id: string,
): Promise<boolean> {
  if (sessions.some((session) => session.paid && tradeNo(session) === payment_id)) return true;
  if (!payment_id.startsWith('pi_')) return false;
  const found = await cards.payment(channel, payment_id);
  return found.kind === 'found' && found.value.state === 'succeeded';
}
