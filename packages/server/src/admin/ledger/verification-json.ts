import { ptk } from '../../base/money.ts';
import { rfc3339 } from '../../base/time/clock.ts';
import {
  bookOf,
  type StandingFinding,
  type Verification,
  type VerificationRecord,
} from '../../ledger/verification/index.ts';

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

/** One kept check. */
export const recordJson = ({ verified_at, entries, ...record }: VerificationRecord) => ({
  ...record,
  verified_at: rfc3339(verified_at),
  entries: Number(entries),
});

/** The latest checks, and the findings that stand. */
export const booksStateJson = (of: {
  checks: readonly VerificationRecord[];
  findings: readonly StandingFinding[];
}) => ({
  checks: of.checks.map(recordJson),
  findings: of.findings.map(({ found_at, ...finding }) => ({ ...finding, found_at: rfc3339(found_at) })),
});
