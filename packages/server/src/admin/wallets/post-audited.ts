import { postOnce, type ReferencedEntry } from '../../ledger/books/index.ts';
import { type Act, audited } from '../../base/audit/index.ts';
import type { AdminDeps } from '../request/deps.ts';

/**
 * Posts an entry once for its reference, together with its entry in the audit log.
 *
 * @param after the request as the audit log stores it
 * @returns true if it was posted now, false if it had been posted before
 * @throws AppError the errors of `postOnce`
 */
export async function runOnce(
  deps: Pick<AdminDeps, 'db' | 'clock' | 'ids'>,
  act: Act,
  target: string,
  entry: ReferencedEntry,
  after: unknown,
): Promise<boolean> {
  const done = await audited(deps, act, async (tx) =>
    (await postOnce(tx, entry, deps.clock.now())) ? { target, before: null, after } : null,
  );
  return done !== null;
}
