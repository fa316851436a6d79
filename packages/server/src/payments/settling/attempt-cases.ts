import type { Tx, Write } from '../../base/pg/index.ts';
import type { CardSession } from '../../channels/index.ts';
import { selectCurrencies } from '../../currencies/index.ts';
import { type Attempt, isPaid, type Seen, tradeNo } from '../attempts/index.ts';
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
  /** A first payment that came so late that its order cannot be fulfilled any more (D-177). */
  lapsed: boolean;
  now: Date;
}

/**
 * What an observation means for the cases of an order, under its lock: a payment of an order that another has
 * settled (D-082) or of one that cannot be fulfilled any more, a receipt that is not what was asked for (D-083), an answer that disagrees (D-104), a creation
 * that stays unknown past the deadline; and what has cleared up by itself.
 */
export async function caseWrites(deps: PaymentDeps, tx: Tx, at: CaseContext): Promise<Write[]> {
  const { order, before, after, seen, now } = at;
  // Whoever has decided resolves the case it was about.
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

/** Whether a verified payment comes on top of the one that settled the order, or the attempt itself. */
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

/** Cases that wait for what has been learned now. */
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
  // A paid attempt that disagrees afterwards is paid; a refused one holds no session of its own.
  const isSettled = isPaid(before) && (!session.paid || tradeNo(session) === before.provider_trade_no);
  if (isSettled || (!session.paid && (known !== undefined || after.state !== 'mismatch')))
    return clearCases(at);
  const isAnother = why === 'session' && order.phase === 'settled';
  const about: NewCase = {
    ...idsOf(after),
    kind: isAnother ? 'duplicate_payment' : 'mismatch',
    dedupe_key: session.paid ? tradeNo(session) : after.attempt_id,
    session_id: session.id,
    detail: {
      why: `${why} is not what was asked for`,
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
    // What no real account can pay out is nothing received.
    amount: amount !== null && amount > 0n && countsAsMoney(session) ? amount : null,
    currency,
    currency_decimals: await findDecimals(tx, currency, after),
    paid_at,
  };
  const writes = recordReceipt(deps, at, receipt, known);
  // The case of an unpaid session that is paid now has become the receipt's.
  return known === undefined ? [...writes, ...clearCases(at)] : writes;
}

/** A payment that its order has no use for. */
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

/** A receipt: booked to suspense where it reached the platform, on record alone where it is the merchant's (P5). */
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

/** What the provider has of a session, for the operator. */
export const describeSession = (session: CardSession) => ({
  amount: session.amount?.toString() ?? null,
  currency: session.currency,
  reference: session.reference,
  order_no: session.order_no,
  status: session.status,
  paid: session.paid,
  livemode: session.livemode,
});

/** Null where the currency is none that the platform keeps. */
async function findDecimals(
  tx: Tx,
  currency: string | null,
  attempt: Pick<Attempt, 'currency' | 'currency_decimals'>,
): Promise<number | null> {
  if (currency === attempt.currency) return attempt.currency_decimals;
  return (await selectCurrencies(tx)).find(({ code }) => code === currency)?.decimals ?? null;
}
