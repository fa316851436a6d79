import { InvariantError } from '../../base/errors.ts';
import { providerClearing, suspense, type Entry, transfer } from '../../ledger/books/index.ts';
import type { PaymentCase } from './case.ts';

/** The account in which the money of a booked case waits. */
export function suspenseOf({ booked, currency, case_id }: PaymentCase) {
  if (!booked || currency === null) throw new InvariantError('a case without money in suspense');
  return suspense(currency, case_id);
}

/**
 * The posting of money that no order can use (P10: a second payment, or one that cannot be fulfilled) or that is not
 * what was asked for (P11): the provider owes it, and it waits in suspense under its case (D-082, D-083).
 */
export function receiptEntry(about: PaymentCase): Entry {
  const { kind, amount } = about;
  const posting = kind === 'duplicate_payment' || kind === 'unfulfillable' ? 'P10' : 'P11';
  if (amount === null) throw new InvariantError('a receipt without an amount');
  return { ...entryOf(about), posting, transfers: [transfer(clearingOf(about), suspenseOf(about), amount)] };
}

/**
 * The posting of suspended money that has left again the way it came (P10r).
 *
 * @param amount what is left of it in suspense
 */
export function returnEntry(about: PaymentCase, amount: bigint): Entry {
  return {
    ...entryOf(about),
    posting: 'P10r',
    transfers: [transfer(suspenseOf(about), clearingOf(about), amount)],
  };
}

/** An order's cases stand among its own postings, others under their number. */
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
