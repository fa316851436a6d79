import type { Tx } from '../../base/pg/index.ts';
import { AppError } from '../../base/errors.ts';
import type { Entry } from './entry.ts';
import { selectTransfers, type TransferRow } from './ledger.sql.ts';
import { post } from './post.ts';
import { claimReference } from './reference.sql.ts';

/** An entry that its sender's reference makes happen once in its book; its subject is `kind:reference`. */
export interface ReferencedEntry extends Omit<Entry, 'subject'> {
  readonly kind: ReferenceKind;
  readonly reference: string;
}

/** What a reference can stand for; the same text may be used once for each. */
export type ReferenceKind =
  | 'topup'
  | 'guarantee-deposit'
  | 'guarantee-return'
  | 'credit-repayment'
  | 'recovery-repayment'
  | 'recovery-write-off'
  | 'payout';

/**
 * Posts an entry once for its reference. Calls with one reference wait for each other, whatever they would post; the
 * first to commit decides.
 *
 * @returns whether it was posted now; false where the same entry had been posted before
 * @throws AppError `reference_conflict` where the reference stands for another entry, and what `post` throws
 */
export async function postOnce(
  tx: Tx,
  { kind, reference, ...rest }: ReferencedEntry,
  now: Date,
): Promise<boolean> {
  const entry: Entry = { ...rest, subject: `${kind}:${reference}` };
  // guard: reference-claimed
  await claimReference(tx, entry.merchant_id, kind, reference);
  // A statement of its own, so that it sees what committed while the claim waited.
  const known = await selectTransfers(tx, entry.merchant_id, entry.subject);
  if (known.length > 0) {
    if (!isPostingOf(entry, known)) throw new AppError('reference_conflict');
    return false;
  }
  const { book, wallets } = post([entry], now);
  await tx.write(book);
  await tx.write(wallets);
  return true;
}

function isPostingOf(entry: Entry, known: readonly TransferRow[]): boolean {
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
