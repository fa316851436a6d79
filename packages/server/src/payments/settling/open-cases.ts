/** Opens and resolves the cases of an order, by an observation of one of its attempts. */
import { differenceOf } from '@paydesk/contract';
import type { Tx, Write } from '../../base/pg/index.ts';
import { type CardSession, tradeNo } from '../../channels/card/index.ts';
import { selectCurrencies } from '../../currencies/index.ts';
import { type Attempt, isPaid, type Seen } from '../attempts/index.ts';
import {
  insertCase,
  newCase,
  type NewCase,
  openReceipt,
  type PaymentCase,
  receiptEntry,
  resolved,
  updateCase,
} from '../cases/index.ts';
import type { Payable, PaymentDeps } from '../engine/index.ts';
import type { Quote } from '../quotes/index.ts';
import { post } from '../../ledger/books/index.ts';
import { isAboutRequest, countsAsMoney } from './known-cases.ts';

interface CaseContext {
  order: Payable;
  before: Attempt;
  after: Attempt;
  seen: Seen;
  cases: readonly PaymentCase[];
  quotes: readonly Quote[];
  /** The first payment came too late to fulfil the order (D-177). */
  lapsed: boolean;
  now: Date;
}

/**
 * The writes for the cases of an order after an observation. Call under the order's lock. Opens a case for:
 *
 * - a second payment (D-082), or one that comes too late to fulfil the order (D-177);
 * - a receipt that is not what was requested (R-231, D-083), or an unpaid session that disagrees (D-104);
 * - a creation that is still unknown after the deadline.
 *
 * Resolves open cases that the observation has cleared up.
 *
 * Invariant: the money of one payment is booked into suspense once. A known payment does not reach this function
 * (`accountForCases`), and a case has a unique key.
 */
export async function caseWrites(deps: PaymentDeps, tx: Tx, at: CaseContext): Promise<Write[]> {
  const { order, before, after, seen, now } = at;
  // The decision itself resolves its case.
  if (isDecision(seen)) return [];
  if (seen.kind === 'mismatch') return openMismatchCase(deps, tx, at, seen);
  if (
    seen.kind === 'paid' &&
    (at.lapsed || /* guard: second-payment-put-to-a-person */ isSecondPayment(order, before, seen))
  ) {
    return [...recordReceipt(deps, at, unusedPayment(at, seen)), ...clearCases(at)];
  }
  const isLost = after.state === 'unknown' || after.state === 'creating';
  if (isLost && order.phase === 'review' && !hasCase(at, 'unknown_creation')) {
    const why = 'the provider has not said whether it made a session, and the deadline is over';
    const about = { ...idsOf(after), kind: 'unknown_creation', dedupe_key: after.attempt_id } as const;
    return [insertCase(newCase(deps, { ...about, detail: { why, asked: askedOf(after) } }, now))];
  }
  return clearCases(at);
}

const decisions: readonly Seen['kind'][] = ['accepted', 'voided', 'returned', 'given_up'];

const isDecision = ({ kind }: Seen): boolean => decisions.includes(kind);

/** Whether a verified payment is not the one that settled the order or paid the attempt. */
function isSecondPayment(
  order: Payable,
  before: Attempt,
  { session, trade_no }: Extract<Seen, { kind: 'paid' }>,
): boolean {
  if (!isPaid(before)) return order.phase === 'settled';
  return ![session.id, trade_no].includes(before.provider_trade_no ?? '');
}

const hasCase = ({ cases, after }: CaseContext, kind: PaymentCase['kind']): boolean =>
  cases.some((known) => known.kind === kind && known.attempt_id === after.attempt_id);

/** Resolves the open cases of an attempt that its new state has cleared up. */
function clearCases({ after, cases, now }: CaseContext): Write[] {
  const isCreated = after.state !== 'unknown' && after.state !== 'creating';
  return cases
    .filter(
      (open) =>
        open.state === 'open' &&
        open.attempt_id === after.attempt_id &&
        ((open.kind === 'unknown_creation' && isCreated) ||
          (isAboutRequest(open, after) && open.amount === null && isPaid(after))),
    )
    .map((open) => updateCase(open, resolved(open, 'cleared', `the attempt is ${after.state}`, now)));
}

async function openMismatchCase(
  deps: PaymentDeps,
  tx: Tx,
  at: CaseContext,
  { session, why, paid_at }: Extract<Seen, { kind: 'mismatch' }>,
): Promise<Write[]> {
  const { order, before, after, cases, now } = at;
  const known = cases.find(
    (open) => open.state === 'open' && isAboutRequest(open, after) && open.amount === null,
  );
  // A paid attempt stays paid if it disagrees later. A rejected attempt has no session.
  const isSettled = isPaid(before) && (!session.paid || tradeNo(session) === before.provider_trade_no);
  // The case of the unpaid session may have received the money of another one, or be decided (D-904).
  const isTold = cases.some(({ kind, dedupe_key }) => kind === 'mismatch' && dedupe_key === after.attempt_id);
  const isNews = known === undefined && !isTold && after.state === 'mismatch';
  if (isSettled || (!session.paid && !isNews)) return clearCases(at);
  const isAnother = why === 'session' && order.phase === 'settled';
  const about: NewCase = {
    ...idsOf(after),
    kind: isAnother ? 'duplicate_payment' : 'mismatch',
    dedupe_key: session.paid ? tradeNo(session) : after.attempt_id,
    session_id: session.id,
    detail: {
      why: differenceOf(why),
      asked: askedOf(after),
      seen: describeSession(session),
    },
  };
  if (!session.paid) return [insertCase(newCase(deps, about, now)), ...clearCases(at)];
  const { amount, currency } = session;
  const receipt: NewCase = {
    ...about,
    provider_payment_id: tradeNo(session),
    test_mode: after.test_mode && !session.livemode,
    // Null if no money was received.
    amount: amount !== null && amount > 0n && countsAsMoney(session) ? amount : null,
    currency,
    currency_decimals: await findDecimals(tx, currency, after),
    paid_at,
  };
  const writes = recordReceipt(deps, at, receipt, known);
  // A known case of an unpaid session now holds the receipt, so it stays open.
  return known === undefined ? [...writes, ...clearCases(at)] : writes;
}

/** A payment that the order cannot use: a second one, or one that came too late. */
function unusedPayment(
  { after, lapsed }: CaseContext,
  { session, trade_no, occurred_at }: Extract<Seen, { kind: 'paid' }>,
): NewCase {
  const why = lapsed
    ? 'it came after the order was cancelled, and what was ordered is gone'
    : 'the order had been paid already';
  return {
    ...idsOf(after),
    kind: lapsed ? 'unfulfillable' : 'duplicate_payment',
    dedupe_key: trade_no,
    session_id: session.id,
    provider_payment_id: trade_no,
    amount: after.amount,
    currency: after.currency,
    currency_decimals: after.currency_decimals,
    paid_at: occurred_at,
    detail: { why, asked: askedOf(after), seen: describeSession(session) },
  };
}

/**
 * Stores a receipt, and books it into suspense if the platform has received the money. On the merchant's own channel the
 * merchant has received it (P5).
 */
function recordReceipt(deps: PaymentDeps, at: CaseContext, receipt: NewCase, known?: PaymentCase): Write[] {
  const { after, quotes, now } = at;
  const owner = quotes.find(({ method_id }) => method_id === after.method_id)?.owner;
  const isBookable = owner === 'platform' && receipt.amount != null && receipt.currency != null;
  if (!isBookable) return recordWithoutBooking(deps, receipt, known, now);
  if (known === undefined) return openReceipt(deps, receipt, now).writes;
  const booked = { ...withReceipt(known, receipt), booked: true };
  return [updateCase(known, booked), ...post([receiptEntry(booked)], now).book];
}

function recordWithoutBooking(
  deps: PaymentDeps,
  receipt: NewCase,
  known: PaymentCase | undefined,
  now: Date,
): Write[] {
  if (known === undefined) return [insertCase(newCase(deps, receipt, now))];
  return [updateCase(known, withReceipt(known, receipt))];
}

const withReceipt = (known: PaymentCase, receipt: NewCase): PaymentCase => {
  const { kind: _kind, dedupe_key: _key, ...members } = receipt;
  return { ...known, ...members };
};

const idsOf = ({ merchant_id, order_no, attempt_id, payment_no, test_mode }: Attempt) => ({
  merchant_id,
  order_no,
  attempt_id,
  payment_no,
  test_mode,
});

const askedOf = ({ amount, currency, attempt_id, order_no }: Attempt) => ({
  amount: amount.toString(),
  currency,
  reference: attempt_id,
  order_no,
});

/** A session as the provider has it, for the operator. */
export const describeSession = (session: CardSession) => ({
  amount: session.amount?.toString() ?? null,
  currency: session.currency,
  reference: session.reference,
  order_no: session.order_no,
  status: session.status,
  paid: session.paid,
  livemode: session.livemode,
});

/** The decimals of a currency; null if the platform does not keep it. */
async function findDecimals(
  tx: Tx,
  currency: string | null,
  attempt: Pick<Attempt, 'currency' | 'currency_decimals'>,
): Promise<number | null> {
  if (currency === attempt.currency) return attempt.currency_decimals;
  return (await selectCurrencies(tx)).find(({ code }) => code === currency)?.decimals ?? null;
}
