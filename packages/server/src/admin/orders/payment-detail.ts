import { rfc3339 } from '../../base/time/clock.ts';
import type { Queryable } from '../../base/pg/db.ts';
import { formatMinor, ptk, ptkDecimals } from '../../base/money.ts';
import { rulesToStore } from '../../channels/read-channels.ts';
import { listCurrencies } from '../../currencies/read-currencies.ts';
import { transfersOf } from '../../ledger/books/read-balances.ts';
import type { Attempt } from '../../payments/attempts/attempt.ts';
import { casesOf } from '../../payments/cases/cases.ts';
import type { FeeReservation } from '../../payments/merchant-fees/fee-reservation.ts';
import { type Quote, totalOf } from '../../payments/quotes/quote.ts';
import { readAttempts, readFeeReservations, readQuotes } from '../../payments/read-attempts.ts';
import { readHold } from '../../payments/read-hold.ts';
import { readComplaints, readRefunds } from '../../payments/read-losses.ts';
import { caseJson } from '../losses/case-json.ts';
import { complaintJson, refundJson } from '../losses/loss-json.ts';
import { moneyMembers, postingsMembers } from './order-money.ts';

/** Whatever kind it is, an order in the currency that it was made in. */
interface Priced {
  merchant_id: string;
  order_no: string;
  currency: string;
  currency_decimals: number;
}

/** What the payment engine and the books know of an order of any kind. The provider's page is not shown. */
export async function paymentDetail(db: Queryable, order: Priced) {
  const { merchant_id, order_no } = order;
  const [quotes, attempts, reservations, transfers, hold, refunds, complaints, cases, decimals] =
    await Promise.all([
      readQuotes(db, merchant_id, order_no),
      readAttempts(db, merchant_id, order_no),
      readFeeReservations(db, merchant_id, order_no),
      transfersOf(db, merchant_id, order_no),
      readHold(db, merchant_id, order_no),
      readRefunds(db, merchant_id, order_no),
      readComplaints(db, merchant_id, order_no),
      casesOf(db, merchant_id, order_no),
      currencyDecimals(db),
    ]);
  // What the order was made with counts, whatever its currency's precision is now.
  for (const { currency, currency_decimals } of [...quotes, order]) decimals.set(currency, currency_decimals);
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

async function currencyDecimals(db: Queryable): Promise<Map<string, number>> {
  const currencies = await listCurrencies(db);
  return new Map([...currencies.map(({ code, decimals }) => [code, decimals] as const), [ptk, ptkDecimals]]);
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
    fee_rules: rulesToStore(fee_rules),
  };
}

const instant = (at: Date | null): string | null => (at === null ? null : rfc3339(at));

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
    session_expires_at: instant(attempt.session_expires_at),
    unclear_since: instant(attempt.unclear_since),
    check_at: instant(attempt.check_at),
    paid_at: instant(attempt.paid_at),
    closed_at: instant(attempt.closed_at),
    detail: attempt.detail,
  };
}

/** Amounts in PTK as whole numbers of the eighth decimal. */
function feeReservationMembers(reservation: FeeReservation) {
  const { attempt_id, state, fee_ptk, available_ptk, credit_ptk } = reservation;
  return {
    attempt_id,
    state,
    fee_ptk: fee_ptk.toString(),
    available_ptk: available_ptk.toString(),
    credit_ptk: credit_ptk.toString(),
    reserved_at: rfc3339(reservation.reserved_at),
    released_at: instant(reservation.released_at),
    captured_at: instant(reservation.captured_at),
  };
}
