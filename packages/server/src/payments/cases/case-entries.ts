/** The postings of cases: money into suspense (P10, P11) and out of it (P10r, P10b). */
import { InvariantError } from '../../base/errors.ts';
import { bank, providerClearing, suspense, type Entry, transfer } from '../../ledger/books/index.ts';
import { type PaymentCase, type Taker, takerId } from './case.ts';

/** The suspense account that holds the money of a booked case. */
export function suspenseOf({ booked, currency, case_id }: PaymentCase) {
  if (!booked || currency === null) throw new InvariantError('a case without money in suspense');
  return suspense(currency, case_id);
}

/**
 * Books received money into suspense under its case; the provider owes it. P10: no order can use it (a second payment, or
 * one that cannot be fulfilled; D-082). P11: it is not what was requested (D-083).
 */
export function receiptEntry(about: PaymentCase): Entry {
  const { kind, amount } = about;
  const posting = kind === 'duplicate_payment' || kind === 'unfulfillable' ? 'P10' : 'P11';
  if (amount === null) throw new InvariantError('a receipt without an amount');
  return { ...entryOf(about), posting, transfers: [transfer(clearingOf(about), suspenseOf(about), amount)] };
}

/**
 * Books money out of suspense after the provider has returned it (P10r).
 *
 * @param amount the rest in suspense, in minor units
 */
export function caseReturnEntry(about: PaymentCase, amount: bigint): Entry {
  return {
    ...entryOf(about),
    posting: 'P10r',
    transfers: [transfer(suspenseOf(about), clearingOf(about), amount)],
  };
}

/** Books a part out of suspense that a lost dispute or a refund has taken (P10r, D-725, D-845): once for each of them. */
export const lostPartEntry = (about: PaymentCase, by: Taker, amount: bigint): Entry => ({
  ...caseReturnEntry(about, amount),
  case_key: takerId(by),
});

/**
 * Books money out of suspense that the platform has paid to the buyer by bank, because the provider does not (P10b).
 *
 * @param amount the rest in suspense, in minor units
 */
export function caseRepaymentEntry(about: PaymentCase, amount: bigint): Entry {
  const { currency } = about;
  if (currency === null) throw new InvariantError('a repayment without a currency');
  return {
    ...entryOf(about),
    posting: 'P10b',
    transfers: [transfer(suspenseOf(about), bank(currency), amount)],
  };
}

/** A case of an order posts under the order's number; any other case posts under its own. */
const entryOf = ({ merchant_id, order_no, case_id, test_mode }: PaymentCase) => ({
  merchant_id,
  subject: order_no ?? case_id,
  case_key: case_id,
  test_mode,
});

function clearingOf({ payment_no, currency }: PaymentCase) {
  if (payment_no === null || currency === null) throw new InvariantError('a receipt without a channel');
  return providerClearing(payment_no, currency);
}
