import { walletAccounts } from '@paydesk/contract';
import { rfc3339 } from '../../base/time/clock.ts';
import { kindOfAccount, type TransferRow } from '../../ledger/books/index.ts';
import { explain } from '../../ledger/verification/index.ts';

type WalletAccount = (typeof walletAccounts)[number];

/** The merchant's own account behind a name; null for everybody else's. */
function ownAccount(name: string): WalletAccount | null {
  const kind = kindOfAccount(name);
  return walletAccounts.find((account) => `m:${account}` === kind) ?? null;
}

/** Whether a transfer moves something on a merchant's own accounts. */
export const isOwn = ({ debit_account, credit_account }: TransferRow): boolean =>
  ownAccount(debit_account) !== null || ownAccount(credit_account) !== null;

/** A transfer as its merchant sees it: what stands across from it in the platform's books is not shown. */
export function walletLine(transfer: TransferRow) {
  const { posting, subject, case_key, leg } = transfer;
  const { why, what } = explain(transfer);
  return {
    line_id: [posting, subject, ...(case_key === '' ? [] : [case_key]), leg].join('.'),
    at: rfc3339(transfer.at),
    posting,
    ...subjectOf(posting, subject),
    from: ownAccount(transfer.debit_account),
    to: ownAccount(transfer.credit_account),
    amount_ptk: transfer.amount.toString(),
    why,
    what,
    test_mode: transfer.test_mode,
  };
}

const withdrawals = ['P13', 'P13s', 'P13r'];
const byHand = ['P12', 'P12x', 'P14i', 'P16', 'P17', 'P18', 'P20', 'P20i'];

/** What an entry is about: what is posted by hand stands under `kind:reference`. */
function subjectOf(posting: string, subject: string) {
  if (withdrawals.includes(posting)) return { about: 'withdrawal' as const, subject };
  if (byHand.includes(posting)) {
    return { about: 'reference' as const, subject: subject.slice(subject.indexOf(':') + 1) };
  }
  return { about: 'order' as const, subject };
}
