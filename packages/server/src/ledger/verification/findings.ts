import { merchantNo, platformBook } from '../../base/ids.ts';
import { formatMinor, ptk, ptkDecimals } from '../../base/money.ts';
import type { DriftRow, EntryRow, ImbalanceRow, WalletDriftRow } from './verify.sql.ts';

/** One thing that is wrong with the books. */
export interface Finding {
  /** What kind of fault it is, for programs. */
  kind: string;
  /** The merchant in whose book it is, by its public number, or `platform`; null for a person's wallet. */
  book: string | null;
  /** What it is about: an order number, an account, the subject of an entry. */
  subject: string;
  /** What is wrong, in words. */
  words: string;
}

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
      `entry ${posting} of ${subject} has transfers between accounts of different currencies, or of no amount: ` +
      `${amountWords(debited, currency)} debited, ${amountWords(credited, currency)} credited`,
  };
}

export function tornFinding({ owner, subject, posting, legs, last_leg }: EntryRow): Finding {
  return {
    kind: 'entry_incomplete',
    book: bookOf(owner),
    subject,
    words: `entry ${posting} of ${subject} has lost transfers: its last has number ${last_leg}, and ${legs} are left`,
  };
}

export function driftFindings({ owner, account, currency, stored, rebuilt }: DriftRow): Finding[] {
  const finding = { book: bookOf(owner), subject: account };
  const found: Finding[] = [];
  if (stored !== rebuilt) {
    found.push({
      ...finding,
      kind: 'balance_drift',
      words: `${account} is stored as ${amountWords(stored, currency)}, and its transfers add up to ${amountWords(rebuilt, currency)}`,
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
      words: `${subject} is stored as ${amountWords(stored, ptk)}, and its transfers add up to ${amountWords(rebuilt, ptk)}`,
    });
  }
  if (lines !== rebuilt) {
    found.push({
      ...finding,
      kind: 'wallet_statement_drift',
      words: `the statement of ${subject} adds up to ${amountWords(lines, ptk)}, and the transfers to ${amountWords(rebuilt, ptk)}`,
    });
  }
  if (stored < 0n) {
    const words = `${subject} is below zero: ${amountWords(stored, ptk)}`;
    found.push({ ...finding, kind: 'wallet_negative', words });
  }
  return found;
}
