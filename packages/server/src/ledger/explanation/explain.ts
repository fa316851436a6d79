/** Sorts transfers, and explains them in words, from the catalogue of postings (D-495). */
import type { Locale } from '@paydesk/checkout';
import { ledgerTexts } from '@paydesk/checkout/ledger-texts';
import {
  aboutAccount,
  isPosting,
  kindOfAccount,
  type Leg,
  postings,
  type TransferRow,
  type WhatCode,
} from '../books/index.ts';

const sequence = Object.keys(postings);

/** A transfer explained in words. */
export interface Explanation {
  /** Why the money moved: the same for all transfers of the posting. */
  why: string;
  /** What this transfer does. */
  what: string;
  /** The code of `what`, by which consoles find it in other languages; null if the catalogue does not have the transfer. */
  what_code: WhatCode | null;
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
export function explain(line: Line): Explanation {
  const from = aboutAccount(line.debit_account);
  const to = aboutAccount(line.credit_account);
  const what_code = whatCodeOf(line);
  const { why, what } = inLanguage('en', { posting: line.posting, what_code });
  return { why: why ?? `Posting ${line.posting}.`, what: what ?? `${from} → ${to}`, what_code, from, to };
}

/** Why money moved and what a transfer does, in a language; null for what the catalogue does not have. */
export function inLanguage(
  locale: Locale,
  { posting, what_code }: Pick<Line, 'posting'> & Pick<Explanation, 'what_code'>,
): { why: string | null; what: string | null } {
  const texts = ledgerTexts[locale];
  return {
    why: isPosting(posting) ? texts[posting] : null,
    what: what_code === null ? null : texts[what_code],
  };
}

function whatCodeOf({ posting, debit_account, credit_account }: Line): WhatCode | null {
  return isPosting(posting) ? (postings[posting][legOf(debit_account, credit_account)] ?? null) : null;
}

const legOf = (debit_account: string, credit_account: string): Leg =>
  `${kindOfAccount(debit_account) ?? ''} > ${kindOfAccount(credit_account) ?? ''}` as Leg;

/** Whether the catalogue has this transfer: whether this posting may move money between these kinds of account. */
export const isInCatalogue = (line: Line): boolean => whatCodeOf(line) !== null;

/** The position of a posting among the postings of the same time; unknown postings come last. */
function sequenceOf(posting: string): number {
  const position = sequence.indexOf(posting);
  return position === -1 ? sequence.length : position;
}

/** Sorts the transfers of an order by time. Transfers of the same time follow the order in which they are posted. */
export const compareTransfers = (a: TransferRow, b: TransferRow): number =>
  a.at.getTime() - b.at.getTime() ||
  sequenceOf(a.posting) - sequenceOf(b.posting) ||
  a.case_key.localeCompare(b.case_key) ||
  a.leg - b.leg;
