/** Sorts transfers, and explains them in words for operators, from the catalogue of postings. */
import {
  aboutAccount,
  isPosting,
  kindOfAccount,
  type Leg,
  postings,
  type TransferRow,
} from '../books/index.ts';

const sequence = Object.keys(postings);

/** A transfer explained in words. */
export interface Explanation {
  /** Why the money moved: the same for all transfers of the posting. */
  why: string;
  /** What this transfer does. */
  what: string;
  /** What the debited account holds. */
  from: string;
  /** What the credited account holds. */
  to: string;
}

/** The parts of a transfer that are explained. The posting may be unknown: a newer version may have written it. */
export interface Line {
  posting: string;
  debit_account: string;
  credit_account: string;
}

/** Explains one transfer. A transfer that is not in the catalogue of postings is described by its two accounts. */
export function explain({ posting, debit_account, credit_account }: Line): Explanation {
  const from = aboutAccount(debit_account);
  const to = aboutAccount(credit_account);
  const known = isPosting(posting) ? postings[posting] : null;
  const what = known?.legs[legOf(debit_account, credit_account)] ?? `${from} → ${to}`;
  return { why: known?.why ?? `Posting ${posting}.`, what, from, to };
}

const legOf = (debit_account: string, credit_account: string): Leg =>
  `${kindOfAccount(debit_account) ?? ''} > ${kindOfAccount(credit_account) ?? ''}` as Leg;

/** Whether the catalogue has this transfer: whether this posting may move money between these kinds of account. */
export function isInCatalogue({ posting, debit_account, credit_account }: Line): boolean {
  return isPosting(posting) && postings[posting].legs[legOf(debit_account, credit_account)] !== undefined;
}

/** The position of a posting among those of the same time; unknown postings come last. */
function sequenceOf(posting: string): number {
  const position = sequence.indexOf(posting);
  return position === -1 ? sequence.length : position;
}

/** Sorts the transfers of an order by time. Those of the same time follow the order in which they are posted. */
export const compareTransfers = (a: TransferRow, b: TransferRow): number =>
  a.at.getTime() - b.at.getTime() ||
  sequenceOf(a.posting) - sequenceOf(b.posting) ||
  a.case_key.localeCompare(b.case_key) ||
  a.leg - b.leg;
