/** A line of a merchant's wallet statement. */
import { isLocale, type Locale, localeTags } from '@paydesk/checkout';
import { walletAccounts } from '@paydesk/contract';
import { invalid } from '../../base/errors.ts';
import { rfc3339 } from '../../base/time/clock.ts';
import { kindOfAccount, type TransferRow } from '../../ledger/books/index.ts';
import { explain, inLanguage } from '../../ledger/explanation/index.ts';

export type WalletLine = ReturnType<typeof walletLine>;
export type WalletAccount = (typeof walletAccounts)[number];

/** The merchant's own account with this name; null for other accounts. */
function ownAccount(name: string): WalletAccount | null {
  const kind = kindOfAccount(name);
  return walletAccounts.find((account) => `m:${account}` === kind) ?? null;
}

/** Whether a transfer touches one of the merchant's own accounts. */
export const isOwn = ({ debit_account, credit_account }: TransferRow): boolean =>
  ownAccount(debit_account) !== null || ownAccount(credit_account) !== null;

/**
 * What the merchant has more after a transfer, or less if negative; 0 where it moved between their own accounts
 * (D-282). Debts count as negative.
 *
 * @param account counts this account alone; all of the merchant's own accounts if null
 */
export function changeOf(transfer: TransferRow, account: WalletAccount | null): bigint {
  const { debit_account, credit_account, amount } = transfer;
  const counted = (name: string): bigint => {
    const own = ownAccount(name);
    return own !== null && (account === null || own === account) ? amount : 0n;
  };
  return counted(credit_account) - counted(debit_account);
}

/**
 * A transfer as its merchant sees it. Accounts of the platform are not shown.
 *
 * @param account the account that the line is read on; all of them if null
 * @param isTest whether its order was paid by a test: the release of a hold does not say so itself (D-1281)
 */
export function walletLine(transfer: TransferRow, isTest: boolean, account: WalletAccount | null = null) {
  const { posting, subject, case_key, leg } = transfer;
  const { why, what, what_code } = explain(transfer);
  return {
    line_id: [posting, subject, ...(case_key === '' ? [] : [case_key]), leg].join('.'),
    at: rfc3339(transfer.at),
    posting,
    ...subjectOf(posting, subject),
    from: ownAccount(transfer.debit_account),
    to: ownAccount(transfer.credit_account),
    amount_ptk: transfer.amount.toString(),
    change_ptk: changeOf(transfer, account).toString(),
    why,
    what,
    what_code,
    test_mode: transfer.test_mode || (isTest && posting === 'P3'),
  };
}

/** A line with its words in a language. */
export function wordsIn<L extends Pick<WalletLine, 'posting' | 'why' | 'what' | 'what_code'>>(
  locale: Locale,
  line: L,
): L {
  const { why, what } = inLanguage(locale, line);
  return { ...line, why: why ?? line.why, what: what ?? line.what };
}

/** Reads `language`, in which a statement is read; English if none is named. Throws `invalid_request`. */
export function readLanguage({ language = '' }: Readonly<Record<string, unknown>>): Locale {
  if (language === '') return 'en';
  if (typeof language === 'string' && isLocale(language)) return language;
  throw invalid('language', `language must be one of ${localeTags.join(', ')}.`);
}

const withdrawals = ['P13', 'P13s', 'P13r'];
const byHand = ['P12', 'P12x', 'P14i', 'P16', 'P17', 'P18', 'P20', 'P20i'];

/** The subject of an entry. Entries that are posted by hand have `kind:reference` as their subject. */
function subjectOf(posting: string, subject: string) {
  if (withdrawals.includes(posting)) return { about: 'withdrawal' as const, subject };
  if (byHand.includes(posting)) {
    return { about: 'reference' as const, subject: subject.slice(subject.indexOf(':') + 1) };
  }
  return { about: 'order' as const, subject };
}
