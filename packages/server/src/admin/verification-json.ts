import { merchantNo, platformBook } from '../base/ids.ts';
import type { Verification } from '../ledger/verify.ts';

/** What checking the books found, with owners by the numbers that administrators know them by. */
export const verificationJson = ({ ok, entries, imbalances, drift }: Verification) => ({
  ok,
  entries,
  imbalances: imbalances.map(({ owner, subject, posting, currency, legs }) => ({
    book: owner === platformBook ? 'platform' : merchantNo(owner),
    subject,
    posting,
    currency,
    legs,
  })),
  drift: drift.map(({ owner, account, stored, rebuilt }) => ({
    owner: account.startsWith('user:') ? owner : merchantNo(owner),
    account,
    stored_ptk: stored.toString(),
    rebuilt_ptk: rebuilt.toString(),
  })),
});
