import type { Queryable, Tx, Write } from '../../base/pg/index.ts';
import { type Funds, lockFunds, readFunds, post } from '../../ledger/books/index.ts';
import { type Merchant, selectMerchant } from '../../merchants/index.ts';
import type { Attempt } from '../attempts/index.ts';
import type { Quote } from '../quotes/index.ts';
import { AppError, InvariantError } from '../../base/errors.ts';
import {
  afterStep,
  captureEntry,
  type FeeFunds,
  type FeeReservation,
  type FeeStep,
  feeStep,
  feeToRaise,
  giveBack,
  lateEntry,
  raise,
  raiseInAnyCase,
  releaseEntry,
  reserveEntry,
} from './fee-reservation.ts';
import { insertFeeReservation, updateFeeReservation } from './fee-reservation.sql.ts';

/** What a merchant can pay fees from, without a lock: good for telling beforehand, not for taking. */
export async function readFeeFunds(db: Queryable, merchant_id: string): Promise<FeeFunds> {
  const [funds, merchant] = await Promise.all([readFunds(db, merchant_id), selectMerchant(db, merchant_id)]);
  return withLimit(funds, merchant);
}

/** The same, locked until the transaction ends; the limit is read under that lock. One round trip. */
async function lockFeeFunds(tx: Tx, merchant_id: string): Promise<FeeFunds> {
  const [funds, merchant] = await Promise.all([lockFunds(tx, merchant_id), selectMerchant(tx, merchant_id)]);
  return withLimit(funds, merchant);
}

function withLimit(funds: Funds, merchant: Merchant | null): FeeFunds {
  if (merchant === null) throw new InvariantError('a wallet without its merchant');
  return { ...funds, credit_limit_ptk: merchant.credit_limit_ptk };
}

/**
 * Checks for a new order that at least one of its methods could be started now, as far as fees go (D-055, D-069).
 * Reads only where the merchant would have to raise a fee for each of them; reserves nothing.
 *
 * @throws AppError `merchant_fee_funding_unavailable`
 */
export async function demandFeeFunds(
  db: Queryable,
  merchant_id: string,
  quotes: readonly Quote[],
): Promise<void> {
  if (quotes.some((quote) => feeToRaise(quote) === 0n)) return;
  const funds = await readFeeFunds(db, merchant_id);
  if (quotes.every((quote) => raise(feeToRaise(quote), funds) === null)) throw fundingUnavailable();
}

/**
 * Reserves the fee of an attempt that is about to begin (P4a): available PTK first, then credit. Takes the
 * lock on the merchant's available balance, which everything that draws or repays credit takes first.
 *
 * @returns what to write together with the attempt; nothing where there is no fee to raise
 * @throws AppError `merchant_fee_funding_unavailable` where the fee cannot be raised
 */
export async function reserveFee(
  tx: Tx,
  quote: Quote,
  attempt: Pick<Attempt, 'merchant_id' | 'attempt_id' | 'order_no'>,
  now: Date,
): Promise<Write[]> {
  const fee_ptk = feeToRaise(quote);
  if (fee_ptk === 0n) return [];
  const { merchant_id, attempt_id, order_no } = attempt;
  const parts = raise(fee_ptk, await lockFeeFunds(tx, merchant_id));
  if (parts === null) throw fundingUnavailable();
  const reservation: FeeReservation = {
    merchant_id,
    attempt_id,
    order_no,
    state: 'reserved',
    fee_ptk,
    ...parts,
    reserved_at: now,
    released_at: null,
    captured_at: null,
  };
  return [...post(reserveEntry(reservation, quote.test_mode), now).book, insertFeeReservation(reservation)];
}

/**
 * What follows for a reserved fee from where its attempt stands now: taken, given back, or taken late (P4b to P4d).
 * Call under the order's lock, for every change of an attempt's state.
 *
 * @param reservation as read under that lock; null where nothing was reserved
 * @param settles whether this attempt makes its order paid now
 */
export async function followFee(
  tx: Tx,
  reservation: FeeReservation | null,
  attempt: Pick<Attempt, 'state' | 'test_mode'>,
  settles: boolean,
  now: Date,
): Promise<Write[]> {
  const step = reservation === null ? null : feeStep(reservation.state, attempt, settles);
  if (reservation === null || step === null) return [];
  const entry = await entryFor(tx, reservation, step, attempt.test_mode);
  return [...post(entry, now).book, updateFeeReservation(reservation, afterStep(reservation, step, now))];
}

async function entryFor(tx: Tx, reservation: FeeReservation, step: FeeStep, test_mode: boolean) {
  const { merchant_id, fee_ptk } = reservation;
  switch (step) {
    case 'capture':
      return captureEntry(reservation, test_mode);
    case 'release': {
      const { credit_drawn_ptk } = await lockFunds(tx, merchant_id);
      return releaseEntry(reservation, giveBack(reservation, credit_drawn_ptk), test_mode);
    }
    case 'capture_late':
      return lateEntry(reservation, raiseInAnyCase(fee_ptk, await lockFeeFunds(tx, merchant_id)), test_mode);
  }
}

const fundingUnavailable = (): AppError => new AppError('merchant_fee_funding_unavailable');
