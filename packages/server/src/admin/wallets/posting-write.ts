/** Writes that post PTK under a reference, and that may wait for a second person. */
import { formatMinor } from '../../base/money.ts';
import type { Queryable } from '../../base/pg/index.ts';
import { postOnce, type ReferencedEntry } from '../../ledger/books/index.ts';
import type { BankMoney } from '../../ledger/wallets/index.ts';
import type { GuardedWrite } from '../approvals/index.ts';
import { money } from '../request/permissions.ts';
import { readBankCurrency, readPaid, readPositive } from './bank-money.ts';

/** The members that such writes share, in the one spelling in which they are stored and compared. */
export interface PostingRequest {
  /** The wallet, as in the audit log. */
  target: string;
  amount_ptk: string;
  reference: string;
  paid?: { currency: string; amount: string };
}

/**
 * A write that posts one entry, once for its reference.
 *
 * @param entryOf the entry of a request; `paid` is the money received at the bank
 */
export const postingWrite = <R extends PostingRequest>(
  action: string,
  entryOf: (request: R, paid: BankMoney | null) => ReferencedEntry,
): GuardedWrite<R> => ({
  action,
  askedBy: money,
  subjectOf: ({ target, reference }) => `${target} ${reference}`,
  async run({ clock }, tx, request) {
    const { target, ...after } = request;
    const entry = entryOf(request, await readPaid(tx, request.paid));
    if (!(await postOnce(tx, entry, clock.now()))) return null;
    return { target, before: null, after, amount_ptk: BigInt(request.amount_ptk) };
  },
});

/**
 * The amounts of a body in one spelling.
 *
 * @throws AppError `invalid_request` on `paid.currency` or `paid.amount`
 */
export async function amountsOf(
  db: Queryable,
  body: { amount_ptk: string; reference: string; paid?: { currency: string; amount: string } },
): Promise<Omit<PostingRequest, 'target'>> {
  const amounts = { amount_ptk: BigInt(body.amount_ptk).toString(), reference: body.reference };
  if (body.paid === undefined) return amounts;
  const currency = await readBankCurrency(db, 'paid.currency', body.paid.currency);
  const minor = readPositive('paid.amount', body.paid.amount, currency);
  return { ...amounts, paid: { currency: currency.code, amount: formatMinor(minor, currency.decimals) } };
}
