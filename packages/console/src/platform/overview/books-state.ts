/** What the overview says of the last check of the books. */
import type { Overview } from '../../api/admin.ts';

export type BooksState = 'unchecked' | 'differ' | 'overdue' | 'balanced';

/** A worker checks every hour what is new, and everything every night: after a day without a check, none works. */
const overdue_ms = 25 * 3_600_000;

/** @param as_of the service's time */
export function booksState(
  verification: Pick<NonNullable<Overview['verification']>, 'ok' | 'verified_at'> | null,
  as_of: string,
): BooksState {
  if (verification === null) return 'unchecked';
  if (!verification.ok) return 'differ';
  return Date.parse(as_of) - Date.parse(verification.verified_at) > overdue_ms ? 'overdue' : 'balanced';
}
