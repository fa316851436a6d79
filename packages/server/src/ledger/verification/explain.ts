import { aboutAccount, isPosting, kindOfAccount, type Leg, postings } from '../books/index.ts';

const sequence = Object.keys(postings);

/** What a transfer is about, in words for operators. */
export interface Words {
  /** What happened: the same for every transfer of the posting. */
  why: string;
  /** What this transfer is. */
  what: string;
  /** What it goes from and to. */
  from: string;
  to: string;
}

/** What an explanation needs of a transfer. The posting may be unknown: a newer version may have written it. */
export interface Line {
  posting: string;
  debit_account: string;
  credit_account: string;
}

/** Explains one transfer. A transfer that the table does not know is described by its two accounts. */
export function explain({ posting, debit_account, credit_account }: Line): Words {
  const from = aboutAccount(debit_account);
  const to = aboutAccount(credit_account);
  const known = isPosting(posting) ? postings[posting] : null;
  const what = known?.legs[legOf(debit_account, credit_account)] ?? `${from} → ${to}`;
  return { why: known?.why ?? `Posting ${posting}.`, what, from, to };
}

const legOf = (debit_account: string, credit_account: string): Leg =>
  `${kindOfAccount(debit_account) ?? ''} > ${kindOfAccount(credit_account) ?? ''}` as Leg;

/** Whether the table has words for a transfer: whether this posting may move money between these accounts. */
export function hasWords({ posting, debit_account, credit_account }: Line): boolean {
  return isPosting(posting) && postings[posting].legs[legOf(debit_account, credit_account)] !== undefined;
}

/** The position of a posting among those of the same instant. */
export function sequenceOf(posting: string): number {
  const position = sequence.indexOf(posting);
  return position === -1 ? sequence.length : position;
}
