/** Top-ups: PTK that people and merchants get from outside, paid at the bank or issued. */
import type { Tx } from '../../base/pg/index.ts';
import {
  type Account,
  bank,
  exchange,
  issuedPtk,
  merchantAvailable,
  userAvailable,
  type Posting,
  type Transfer,
  transfer,
  postOnce,
  type ReferencedEntry,
} from '../books/index.ts';
import { platformBook } from '../../base/ids.ts';
import { ptk } from '../../base/money.ts';

/** Money at the bank, in minor units of its currency. */
export interface BankMoney {
  currency: string;
  minor: bigint;
}

/** A request to add PTK to a wallet from outside. */
export interface TopUp {
  to: { user_id: string } | { merchant_id: string };
  /** PTK at 8-decimal fixed point, positive. */
  amount_ptk: bigint;
  /** The sender's reference: the same reference is the same top-up. */
  reference: string;
  /** The money received at the bank; null if PTK is issued without a payment. */
  paid: BankMoney | null;
}

/**
 * Posts a top-up once for its reference: P14 and P20 against money at the bank, P14i and P20i as an issue of PTK.
 *
 * @returns true if it was posted now; false if the same top-up had been posted before
 * @throws AppError `reference_conflict` if the reference names another top-up
 */
export function topUp(tx: Tx, request: TopUp, now: Date): Promise<boolean> {
  return postOnce(tx, topUpEntry(request), now);
}

/** The entry of a top-up. */
export function topUpEntry({ to, amount_ptk, reference, paid }: TopUp): ReferencedEntry {
  const ofUser = 'user_id' in to;
  const wallet = ofUser ? userAvailable(to.user_id) : merchantAvailable();
  return {
    merchant_id: ofUser ? platformBook : to.merchant_id,
    kind: 'topup',
    reference,
    posting: postingOf(ofUser, paid !== null),
    transfers: fromOutside(wallet, amount_ptk, paid),
  };
}

function postingOf(ofUser: boolean, wasPaid: boolean): Posting {
  if (ofUser) return wasPaid ? 'P14' : 'P14i';
  return wasPaid ? 'P20' : 'P20i';
}

/** Transfers that add PTK from outside to an account: exchanged for money at the bank, or issued if none was paid. */
export function fromOutside(to: Account, amount_ptk: bigint, paid: BankMoney | null): Transfer[] {
  if (paid === null) return [transfer(issuedPtk(), to, amount_ptk)];
  return [
    transfer(bank(paid.currency), exchange(paid.currency), paid.minor),
    transfer(exchange(ptk), to, amount_ptk),
  ];
}
