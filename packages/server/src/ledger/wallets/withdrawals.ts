/**
 * Withdrawals: a merchant requests one, and an administrator pays it out or rejects it.
 *
 * Invariant: a withdrawal's money leaves the available balance with the request, and leaves `m:withdrawal_pending` with
 * the one decision. Every transaction locks the available balance before it reads the merchant's debt.
 */
import type { Tx } from '../../base/pg/index.ts';
import {
  bank,
  exchange,
  merchantAvailable,
  merchantWithdrawalPending,
  type Entry,
  transfer,
  post,
  lockAvailable,
  selectRecovery,
} from '../books/index.ts';
import { AppError } from '../../base/errors.ts';
import { ptk } from '../../base/money.ts';
import {
  endWithdrawal,
  insertWithdrawal,
  selectWithdrawal,
  selectWithdrawalByReference,
} from './withdrawals.sql.ts';

export type WithdrawalStatus = 'pending' | 'paid' | 'rejected';

/** A request of a merchant to pay out PTK of its wallet at the bank. */
export interface Withdrawal {
  merchant_id: string;
  withdrawal_id: string;
  /** The requester's reference, unique for each merchant. */
  reference: string;
  /** PTK at 8-decimal fixed point, positive. */
  amount_ptk: bigint;
  payout_currency: string;
  payout_decimals: number;
  /** The amount paid out, in minor units of the payout currency, positive. */
  payout_amount: bigint;
  status: WithdrawalStatus;
  requested_at: Date;
  decided_at: Date | null;
}

export type WithdrawalDecision = 'paid' | 'reject';

/**
 * Requests a withdrawal and sets its money aside (P13), once for each reference of the merchant. Only available funds
 * can be withdrawn, and nothing while the merchant has debt (D-086).
 *
 * @param wanted a pending withdrawal; its id is used only if the withdrawal is new
 * @returns the stored withdrawal, and whether it is new
 * @throws AppError `reference_conflict` if the reference names another withdrawal, `recovery_outstanding`,
 *   `insufficient_balance`
 */
export async function requestWithdrawal(
  tx: Tx,
  wanted: Withdrawal,
): Promise<{ withdrawal: Withdrawal; isNew: boolean }> {
  const { merchant_id, reference } = wanted;
  if (!(await insertWithdrawal(tx, wanted))) {
    const known = await selectWithdrawalByReference(tx, merchant_id, reference);
    if (known === null || !isSameWithdrawal(known, wanted)) throw new AppError('reference_conflict');
    return { withdrawal: known, isNew: false };
  }
  // guard: nothing-asked-for-that-is-owed
  await refuseWhileOwing(tx, merchant_id);
  await tx.write(post([requestEntry(wanted)], wanted.requested_at).book);
  return { withdrawal: wanted, isNew: true };
}

/**
 * Ends a pending withdrawal once: pays it out at the bank (P13s), or returns it to the wallet (P13r). It is not paid
 * out while the merchant has debt (D-086): a loss may have been booked since the request.
 *
 * @throws AppError `not_found`, `payment_conflict` if it was decided before, `recovery_outstanding`
 */
export async function decideWithdrawal(
  tx: Tx,
  withdrawal_id: string,
  decision: WithdrawalDecision,
  now: Date,
): Promise<{ before: Withdrawal; after: Withdrawal }> {
  const before = await selectWithdrawal(tx, withdrawal_id);
  if (before === null) throw new AppError('not_found');
  const status = decision === 'paid' ? 'paid' : 'rejected';
  const entry = decision === 'paid' ? payoutEntry(before) : withdrawalReturnEntry(before);
  // Only a pending withdrawal ends: of two concurrent decisions, the second waits here and then fails.
  await tx.write([endWithdrawal(before, status, now, alreadyDecided)]);
  // guard: nothing-paid-out-that-is-owed
  if (decision === 'paid') await refuseWhileOwing(tx, before.merchant_id);
  await tx.write(post([entry], now).book);
  return { before, after: { ...before, status, decided_at: now } };
}

const alreadyDecided = (): AppError =>
  new AppError('payment_conflict', { description: 'The withdrawal has been decided already.' });

/** A loss locks the available balance before it becomes debt, so a transaction that holds this lock sees all debt. */
async function refuseWhileOwing(tx: Tx, merchant_id: string): Promise<void> {
  // guard: debts-asked-under-the-lock
  await lockAvailable(tx, merchant_id);
  if ((await selectRecovery(tx, merchant_id)) > 0n) throw new AppError('recovery_outstanding');
}

const isSameWithdrawal = (known: Withdrawal, wanted: Withdrawal): boolean =>
  known.amount_ptk === wanted.amount_ptk &&
  known.payout_currency === wanted.payout_currency &&
  // Compares the values: the currency's decimals may have changed since.
  known.payout_amount * 10n ** BigInt(wanted.payout_decimals) ===
    wanted.payout_amount * 10n ** BigInt(known.payout_decimals);

const bookOf = ({ merchant_id, withdrawal_id }: Withdrawal): Pick<Entry, 'merchant_id' | 'subject'> => ({
  merchant_id,
  subject: withdrawal_id,
});

/** P13: the money leaves the available balance and waits for the decision. */
export function requestEntry(withdrawal: Withdrawal): Entry {
  const { withdrawal_id, amount_ptk } = withdrawal;
  const transfers = [transfer(merchantAvailable(), merchantWithdrawalPending(withdrawal_id), amount_ptk)];
  return { ...bookOf(withdrawal), posting: 'P13', transfers };
}

/** P13s: the PTK is exchanged for money that leaves the bank, at the amounts of the request. */
export function payoutEntry(withdrawal: Withdrawal): Entry {
  const { withdrawal_id, amount_ptk, payout_currency, payout_amount } = withdrawal;
  return {
    ...bookOf(withdrawal),
    posting: 'P13s',
    transfers: [
      transfer(merchantWithdrawalPending(withdrawal_id), exchange(ptk), amount_ptk),
      transfer(exchange(payout_currency), bank(payout_currency), payout_amount),
    ],
  };
}

/** P13r: the money goes back into the wallet. */
export function withdrawalReturnEntry(withdrawal: Withdrawal): Entry {
  const { withdrawal_id, amount_ptk } = withdrawal;
  const transfers = [transfer(merchantWithdrawalPending(withdrawal_id), merchantAvailable(), amount_ptk)];
  return { ...bookOf(withdrawal), posting: 'P13r', transfers };
}
