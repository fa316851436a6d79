import type { Queryable, Tx } from '../base/db.ts';
import { platformBook } from '../base/ids.ts';
import { AppError } from '../base/errors.ts';
import { ptk } from '../base/money.ts';
import { type Account, bank, exchange, issuedPtk, merchantAvailable, userAvailable } from './accounts.ts';
import { type Entry, type Posting, type Transfer, transfer } from './entry.ts';
import { growBalance, growWallet, selectTransfers, type TransferRow } from './ledger.sql.ts';
import { post } from './post.ts';

/** PTK that comes into a wallet from outside. */
export interface TopUp {
  to: { user_id: string } | { merchant_id: string };
  /** PTK at 8-decimal fixed point, positive. */
  amount_ptk: bigint;
  /** What its sender calls it: repeated, it is the same top-up. */
  reference: string;
  /** What was received for it at the bank, in minor units; null where PTK is issued without a payment. */
  paid: { currency: string; minor: bigint } | null;
}

/**
 * Posts a top-up once: P14 and P20 against money at the bank, P14i and P20i as an issue of PTK.
 *
 * @returns whether it was posted now; false where the same top-up had been posted before
 * @throws AppError `reference_conflict` where the reference stands for another top-up
 */
export async function topUp(tx: Tx, request: TopUp, now: Date): Promise<boolean> {
  const entry = entryOf(request);
  // Whoever tops up this wallet waits here, so that what is read next is all there is.
  await lockWallet(tx, request.to);
  if (await wasPosted(tx, entry)) return false;
  const { book, wallets } = post(entry, now);
  await tx.write(book);
  await tx.write(wallets);
  return true;
}

/**
 * Whether this very top-up was posted, for whoever lost a race for its reference.
 *
 * @throws AppError `reference_conflict`
 */
export function topUpWasPosted(db: Queryable, request: TopUp): Promise<boolean> {
  return wasPosted(db, entryOf(request));
}

async function wasPosted(db: Queryable, entry: Entry): Promise<boolean> {
  const known = await selectTransfers(db, entry.merchant_id, entry.subject);
  if (known.length === 0) return false;
  if (!isPostingOf(entry, known)) throw new AppError('reference_conflict');
  return true;
}

function entryOf({ to, amount_ptk, reference, paid }: TopUp): Entry {
  const ofUser = 'user_id' in to;
  const wallet = ofUser ? userAvailable(to.user_id) : merchantAvailable();
  return {
    merchant_id: ofUser ? platformBook : to.merchant_id,
    subject: `topup:${reference}`,
    posting: postingOf(ofUser, paid !== null),
    transfers: transfersFor(wallet, amount_ptk, paid),
  };
}

function postingOf(ofUser: boolean, wasPaid: boolean): Posting {
  if (ofUser) return wasPaid ? 'P14' : 'P14i';
  return wasPaid ? 'P20' : 'P20i';
}

function transfersFor(wallet: Account, amount_ptk: bigint, paid: TopUp['paid']): Transfer[] {
  if (paid === null) return [transfer(issuedPtk(), wallet, amount_ptk)];
  return [
    transfer(bank(paid.currency), exchange(paid.currency), paid.minor),
    transfer(exchange(ptk), wallet, amount_ptk),
  ];
}

function isPostingOf(entry: Entry, known: readonly TransferRow[]): boolean {
  const legs = [...known].sort((a, b) => a.leg - b.leg);
  return (
    legs.length === entry.transfers.length &&
    entry.transfers.every(({ debit, credit, amount }, i) => {
      const leg = legs[i];
      return (
        leg?.posting === entry.posting &&
        leg.debit_account === debit.name &&
        leg.credit_account === credit.name &&
        leg.currency === debit.currency &&
        leg.amount === amount
      );
    })
  );
}

/** Growing a wallet by nothing brings it into being and locks it. */
async function lockWallet(tx: Tx, to: TopUp['to']): Promise<void> {
  if ('user_id' in to) await tx.query(growWallet(to.user_id, 0n));
  else await tx.query(growBalance(to.merchant_id, { account: 'm:available', ref: '' }, ptk, 0n));
}
