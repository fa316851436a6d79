/** Turns the rows that a check of the books finds into findings, with a kind for programs and words for operators. */
import { merchantNo, platformBook } from '../../base/ids.ts';
import { formatMinor, ptk, ptkDecimals } from '../../base/money.ts';
import type { DriftRow, EntryRow, ImbalanceRow, WalletDriftRow } from './verify.sql.ts';

/** One fault in the books. */
export interface Finding {
  /** The kind of fault, for programs; docs/ledger.md lists all kinds. */
  kind: string;
  /** The book: a merchant's public number, or `platform`; null for a person's wallet. */
  book: string | null;
  /** The order number, the account or the subject of the entry. */
  subject: string;
  /** A description of the fault. */
  words: string;
}

/** The public name of a book: a merchant's number, or `platform`. */
export const bookOf = (merchant_id: string): string =>
  merchant_id === platformBook ? 'platform' : merchantNo(merchant_id);

/** An amount in words: PTK as a decimal, other currencies in the minor units that the books keep. */
export const amountWords = (minor: bigint, currency: string): string =>
  currency === ptk
    ? `${formatMinor(minor, ptkDecimals)} PTK`
    : `${minor.toString()} minor units of ${currency}`;

export function imbalanceFinding(row: ImbalanceRow): Finding {
  const { owner, subject, posting, currency, debited, credited } = row;
  return {
    kind: 'entry_unbalanced',
    book: bookOf(owner),
    subject,
    words:
      `entry ${posting} of ${subject} does not balance, because of wrong currencies, wrong accounts or an amount of zero: ` +
      `${amountWords(debited, currency)} debited, ${amountWords(credited, currency)} credited`,
  };
}

export function incompleteFinding({ owner, subject, posting, legs, last_leg }: EntryRow): Finding {
  return {
    kind: 'entry_incomplete',
    book: bookOf(owner),
    subject,
    words: `entry ${posting} of ${subject} has lost transfers: there are ${legs}, but the last one has number ${last_leg}`,
  };
}

export function driftFindings({ owner, account, currency, stored, rebuilt }: DriftRow): Finding[] {
  const finding = { book: bookOf(owner), subject: account };
  const found: Finding[] = [];
  if (stored !== rebuilt) {
    found.push({
      ...finding,
      kind: 'balance_drift',
      words: `${account} is stored as ${amountWords(stored, currency)}, but its transfers add up to ${amountWords(rebuilt, currency)}`,
    });
  }
  if (stored < 0n || rebuilt < 0n) {
    const lowest = stored < rebuilt ? stored : rebuilt;
    found.push({
      ...finding,
      kind: 'balance_negative',
      words: `${account} is below zero: ${amountWords(lowest, currency)}`,
    });
  }
  return found;
}

export function walletFindings({ owner, stored, rebuilt, lines }: WalletDriftRow): Finding[] {
  const subject = `user:${owner}:available`;
  const finding = { book: null, subject };
  const found: Finding[] = [];
  if (stored !== rebuilt) {
    found.push({
      ...finding,
      kind: 'wallet_drift',
      words: `${subject} is stored as ${amountWords(stored, ptk)}, but its transfers add up to ${amountWords(rebuilt, ptk)}`,
    });
  }
  if (lines !== rebuilt) {
    found.push({
      ...finding,
      kind: 'wallet_statement_drift',
      words: `the statement of ${subject} adds up to ${amountWords(lines, ptk)}, but its transfers to ${amountWords(rebuilt, ptk)}`,
    });
  }
  if (stored < 0n) {
    const words = `${subject} is below zero: ${amountWords(stored, ptk)}`;
    found.push({ ...finding, kind: 'wallet_negative', words });
  }
  return found;
}
