import { ptk } from '../../base/money.ts';
import { bookOf, type Verification } from '../../ledger/verification/index.ts';

/** The result of a check of the books. Owners appear with the numbers that administrators know. */
export const verificationJson = ({ ok, entries, imbalances, drift, findings }: Verification) => ({
  ok,
  entries,
  findings,
  imbalances: imbalances.map(({ owner, subject, posting, currency, legs }) => ({
    book: bookOf(owner),
    subject,
    posting,
    currency,
    legs,
  })),
  drift: drift.map(({ owner, account, currency, stored, rebuilt }) => ({
    owner: account.startsWith('user:') ? owner : bookOf(owner),
    account,
    currency,
    stored_minor: stored.toString(),
    rebuilt_minor: rebuilt.toString(),
    ...(currency === ptk ? { stored_ptk: stored.toString(), rebuilt_ptk: rebuilt.toString() } : {}),
  })),
});
