/** The part of an order's details that both kinds of order share. */
import { rfc3339, rfc3339OrNull } from '../../base/time/clock.ts';
import type { Queryable } from '../../base/pg/index.ts';
import { rulesToStore } from '../../channels/index.ts';
import { selectDecimals } from '../../currencies/index.ts';
import { readTransfers } from '../../ledger/books/index.ts';
import { type Attempt, selectAttempts } from '../../payments/attempts/index.ts';
import { selectCasesOfOrder } from '../../payments/cases/index.ts';
import { type FeeReservation, selectFeeReservations } from '../../payments/merchant-fees/index.ts';
import { merchantFeeParts, type Quote, totalOf, selectQuotes } from '../../payments/quotes/index.ts';
import { selectHold } from '../../payments/holds/index.ts';
import { selectComplaints, selectRefunds } from '../../payments/losses/index.ts';
import { formatMinor } from '../../base/money.ts';
import { caseJson } from '../cases/case-json.ts';
import { complaintJson, refundJson } from '../losses/loss-json.ts';
import { moneyMembers, postingsMembers } from './order-money.ts';

/** An order of either kind, with its currency. */
interface Priced {
  merchant_id: string;
  order_no: string;
  currency: string;
  currency_decimals: number;
}

/** All that the payment engine and the books store about an order. */
export async function readPaymentRecords(db: Queryable, order: Priced) {
  const { merchant_id, order_no } = order;
  const [quotes, attempts, reservations, transfers, hold, refunds, complaints, cases, decimals] =
    await Promise.all([
      selectQuotes(db, merchant_id, order_no),
      selectAttempts(db, merchant_id, order_no),
      selectFeeReservations(db, merchant_id, order_no),
      readTransfers(db, merchant_id, order_no),
      selectHold(db, merchant_id, order_no),
      selectRefunds(db, merchant_id, order_no),
      selectComplaints(db, merchant_id, order_no),
      selectCasesOfOrder(db, merchant_id, order_no),
      selectDecimals(db),
    ]);
  // The stored precision counts: the currency may have another one now.
  for (const { currency, currency_decimals } of [...quotes, order]) decimals.set(currency, currency_decimals);
  return { quotes, attempts, reservations, transfers, hold, refunds, complaints, cases, decimals };
}

/** The same as JSON. The address of the provider's page is left out. */
export function paymentMembers(records: Awaited<ReturnType<typeof readPaymentRecords>>) {
  const { quotes, attempts, reservations, transfers, hold, refunds, complaints, cases, decimals } = records;
  return {
    quotes: quotes.map(quoteMembers),
    attempts: attempts.map(attemptMembers),
    fee_reservations: reservations.map(feeReservationMembers),
    postings: postingsMembers(transfers, hold, decimals),
    money: moneyMembers(transfers, hold, decimals),
    refunds: refunds.map(refundJson),
    complaints: complaints.map(complaintJson),
    cases: cases.map(caseJson),
  };
}

function quoteMembers(quote: Quote) {
  const { fee_rules, currency_decimals, subtotal, buyer_fee, merchant_fee, merchant_fee_ptk, ...members } =
    quote;
  const written = (minor: bigint): string => formatMinor(minor, currency_decimals);
  return {
    ...members,
    currency_decimals,
    subtotal: written(subtotal),
    buyer_fee: written(buyer_fee),
    payment_amount: written(totalOf(quote)),
    merchant_fee: written(merchant_fee),
    merchant_fee_ptk: merchant_fee_ptk.toString(),
    merchant_fee_parts: merchantFeeParts(quote),
    fee_rules: rulesToStore(fee_rules),
  };
}

function attemptMembers(attempt: Attempt) {
  return {
    attempt_id: attempt.attempt_id,
    seq: attempt.seq,
    state: attempt.state,
    method_id: attempt.method_id,
    payment_no: attempt.payment_no,
    provider: attempt.provider,
    test_mode: attempt.test_mode,
    amount: formatMinor(attempt.amount, attempt.currency_decimals),
    currency: attempt.currency,
    buyer_user_id: attempt.buyer_user_id,
    session_id: attempt.session_id,
    provider_trade_no: attempt.provider_trade_no,
    created_at: rfc3339(attempt.created_at),
    session_expires_at: rfc3339OrNull(attempt.session_expires_at),
    unclear_since: rfc3339OrNull(attempt.unclear_since),
    check_at: rfc3339OrNull(attempt.check_at),
    paid_at: rfc3339OrNull(attempt.paid_at),
    closed_at: rfc3339OrNull(attempt.closed_at),
    detail: attempt.detail,
  };
}

/** Amounts in PTK are integers in the smallest unit (8 decimals). */
function feeReservationMembers(reservation: FeeReservation) {
  const { attempt_id, state, fee_ptk, available_ptk, credit_ptk } = reservation;
  return {
    attempt_id,
    state,
    fee_ptk: fee_ptk.toString(),
    available_ptk: available_ptk.toString(),
    credit_ptk: credit_ptk.toString(),
    reserved_at: rfc3339(reservation.reserved_at),
    released_at: rfc3339OrNull(reservation.released_at),
    captured_at: rfc3339OrNull(reservation.captured_at),
  };
}
