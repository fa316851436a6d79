/** Lets an unmatched receipt pay the order that its metadata names, as after a restore that lost the attempt. */
import { decodeTime } from 'ulid';
import { InvariantError } from '../../base/errors.ts';
import { merchantNo } from '../../base/ids.ts';
import type { Tx, Write } from '../../base/pg/index.ts';
import { later, minutes } from '../../base/time/clock.ts';
import { lockBalance, post } from '../../ledger/books/index.ts';
import { type Attempt, insertAttempt, nextSeq, selectAttempt, selectAttempts } from '../attempts/index.ts';
import { caseReturnEntry, type PaymentCase, resolved, suspenseOf } from '../cases/index.ts';
import type { Payable, PaymentDeps } from '../engine/index.ts';
import { takeFee } from '../merchant-fees/index.ts';
import { type Quote, selectQuotes, totalOf } from '../quotes/index.ts';
import { settleInTransaction } from '../settling/index.ts';
import { refusal } from './case-actions.ts';

/** The order that a session names in its metadata. */
export interface NamedOrder {
  merchant_id: string;
  order_no: string;
}

/**
 * The order that the session of a case names, as the provider reports it. A session without the merchant's id names it by
 * its number alone.
 *
 * @returns null if it names none, or one that does not exist
 */
export async function findNamedOrder(
  deps: Pick<PaymentDeps, 'kindOf'>,
  tx: Tx,
  { detail }: PaymentCase,
): Promise<NamedOrder | null> {
  const { order_no } = detail.seen ?? {};
  if (typeof order_no !== 'string') return null;
  const merchant_id = await deps.kindOf(order_no).findMerchant(tx, order_no);
  const named = detail.seen?.merchant_id ?? detail.asked?.merchant_id ?? null;
  if (merchant_id === null || (named !== null && named !== merchant_id)) return null;
  return { merchant_id, order_no };
}

/**
 * Adopts the receipt of a case: stores an attempt that was paid late, pays the order with it as any verified payment does
 * (P1, fees, hold, notification), and takes the money out of the suspense of the platform's book (P10r).
 *
 * Invariant: the receipt pays one order, once. The order is locked, the case is locked, and each write is guarded.
 *
 * @param order locked; null if the metadata names no order
 * @throws AppError `payment_conflict` if the order cannot be paid by this receipt, or
 *   `merchant_fee_funding_unavailable` if the merchant's own channel costs a fee that is not covered
 */
export async function adoptReceipt(
  deps: PaymentDeps,
  tx: Tx,
  { before, order, reason }: { before: PaymentCase; order: Payable | null; reason: string },
): Promise<{ after: PaymentCase; writes: Write[]; wallets: Write[] }> {
  const { amount, paid_at, provider_payment_id, booked, merchant_id: book } = before;
  if (amount === null || paid_at === null || provider_payment_id === null) {
    throw refusal('Nothing was received that could be adopted.');
  }
  if (order === null) throw refusal('The metadata of the session names no order that exists.');
  // guard: unpaid-order-adopted
  if (order.phase === 'settled') throw refusal('The order has been paid already.');
  const quote = await findQuote(tx, order, before);
  const attempt = await lostAttempt(deps, tx, order, quote, before);
  const now = deps.clock.now();
  await tx.write([insertAttempt(attempt), ...(await takeFee(tx, quote, attempt, now))]);
  const { writes, wallets } = await settleInTransaction(deps, tx, attempt, {
    kind: 'accepted',
    receipt: before,
    trade_no: provider_payment_id,
    occurred_at: paid_at,
    why: before.case_id,
    asked: 'adopt the receipt',
  });
  const resolved_at = deps.clock.now();
  const left = booked ? await lockBalance(tx, book, suspenseOf(before)) : 0n;
  if (booked && left !== amount) throw new InvariantError('an unmatched receipt is not whole');
  const adopted = {
    order_no: order.order_no,
    merchant_no: merchantNo(order.merchant_id),
    attempt_id: attempt.attempt_id,
  };
  const used = { ...before, detail: { ...before.detail, adopted } };
  return {
    after: resolved(used, 'adopt', reason, resolved_at),
    wallets,
    writes: [...writes, ...(left > 0n ? post([caseReturnEntry(before, left)], resolved_at).book : [])],
  };
}

/** The method of the order that the receipt paid: the channel, the currency and the exact total of the buyer. */
async function findQuote(
  tx: Tx,
  { merchant_id, order_no }: Payable,
  { payment_no, currency, amount, booked }: PaymentCase,
): Promise<Quote> {
  const quotes = await selectQuotes(tx, merchant_id, order_no);
  const ofChannel = quotes.find((quote) => quote.payment_no === payment_no);
  if (ofChannel === undefined) throw refusal('The order cannot be paid through the channel of the receipt.');
  // guard: adopted-currency-compared
  if (ofChannel.currency !== currency) throw refusal(`The order must be paid in ${ofChannel.currency}.`);
  // guard: adopted-amount-compared
  if (totalOf(ofChannel) !== amount) throw refusal('The receipt is not what the buyer had to pay.');
  if (ofChannel.owner === 'platform' && !booked) throw refusal('Nothing was received that could be adopted.');
  return ofChannel;
}

const ownReference = /^pa_[0-7][0-9A-HJKMNP-TV-Z]{25}$/;

/**
 * The attempt that the books do not know. It has the id that the session names, if that is an id of Paydesk, so that later
 * webhooks find it. It is stored as ended, because another attempt of the order may count.
 */
async function lostAttempt(
  deps: PaymentDeps,
  tx: Tx,
  order: Payable,
  quote: Quote,
  { session_id, detail }: PaymentCase,
): Promise<Attempt> {
  const now = deps.clock.now();
  const reference = detail.seen?.reference;
  const isOurs =
    typeof reference === 'string' &&
    ownReference.test(reference) &&
    decodeTime(reference.slice(3)) <= later(now, minutes(1)).getTime() &&
    (await selectAttempt(tx, order.merchant_id, reference)) === null;
  const attempt_id = isOurs ? reference : `pa_${deps.ids.ulid(now)}`;
  const created_at = new Date(decodeTime(attempt_id.slice(3)));
  const landing = `${deps.public_url}${order.landing}`;
  const why = 'unknown to the books';
  return {
    merchant_id: order.merchant_id,
    attempt_id,
    order_no: order.order_no,
    seq: nextSeq(await selectAttempts(tx, order.merchant_id, order.order_no)),
    method_id: quote.method_id,
    payment_no: quote.payment_no,
    provider: quote.provider,
    test_mode: quote.test_mode,
    state: 'rejected',
    amount: totalOf(quote),
    currency: quote.currency,
    currency_decimals: quote.currency_decimals,
    buyer_user_id: order.buyer_user_id,
    created_at,
    lease_until: null,
    unclear_since: null,
    session_id,
    session_url: null,
    session_expires_at: now,
    provider_trade_no: null,
    check_at: null,
    paid_at: null,
    closed_at: now,
    request: {
      attempt_id,
      order_no: order.order_no,
      title: order.title,
      success_url: landing,
      cancel_url: landing,
      expires_at: Math.ceil(now.getTime() / 1_000),
      created_from: Math.floor(created_at.getTime() / 1_000),
    },
    detail: {
      last: why,
      at: now.toISOString(),
      history: [{ asked: null, seen: why, at: now.toISOString() }],
    },
  };
}
