/** Posting by reference: a repeated request posts nothing, and another request with the same reference fails. */
import type { Tx } from '../../base/pg/index.ts';
import { AppError } from '../../base/errors.ts';
import type { Entry } from './entry.ts';
import { selectTransfers, type TransferRow } from './ledger.sql.ts';
import { post } from './post.ts';
import { claimReference } from './reference.sql.ts';

/** An entry that is posted once for each reference of its sender in one book. Its subject is `kind:reference`. */
export interface ReferencedEntry extends Omit<Entry, 'subject'> {
  readonly kind: ReferenceKind;
  readonly reference: string;
}

/** The kinds of operation that have references. The same reference may be used once for each kind. */
export type ReferenceKind =
  | 'topup'
  | 'guarantee-deposit'
  | 'guarantee-return'
  | 'credit-repayment'
  | 'recovery-repayment'
  | 'recovery-write-off'
  | 'payout';

/**
 * Posts an entry once for its reference. Calls with the same reference wait for each other; the first one that
 * commits decides which entry the reference names.
 *
 * @returns true if it was posted now; false if the same entry had been posted before
 * @throws AppError `reference_conflict` if the reference names another entry; also the errors of `post`
 */
export async function postOnce(
  tx: Tx,
  { kind, reference, ...rest }: ReferencedEntry,
  now: Date,
): Promise<boolean> {
  const entry: Entry = { ...rest, subject: `${kind}:${reference}` };
  // guard: reference-claimed
  await claimReference(tx, entry.merchant_id, kind, reference);
  // A separate statement, so that it sees what other transactions committed while the claim waited.
  const known = await selectTransfers(tx, entry.merchant_id, entry.subject);
  if (known.length > 0) {
    if (!isSameEntry(entry, known)) throw new AppError('reference_conflict');
    return false;
  }
  const { book, wallets } = post([entry], now);
  await tx.write(book);
  await tx.write(wallets);
  return true;
}

function isSameEntry(entry: Entry, known: readonly TransferRow[]): boolean {
  const legs = [...known].sort((a, b) => a.leg - b.leg);
  const wanted = entry.transfers.filter(({ amount }) => amount > 0n);
  return (
    legs.length === wanted.length &&
    wanted.every(({ debit, credit, amount }, i) => {
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
