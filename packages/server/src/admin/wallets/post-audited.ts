import { postOnce, type ReferencedEntry } from '../../ledger/books/index.ts';
import { type Act, runAudited } from '../../base/audit/index.ts';
import type { AdminDeps } from '../request/deps.ts';

/**
 * Posts an entry once for its reference, together with its entry in the audit log.
 *
 * @param after the request as the audit log stores it
 * @returns true if it was posted now, false if it had been posted before
 * @throws AppError the errors of `postOnce`
 */
export async function postAudited(
  deps: Pick<AdminDeps, 'db' | 'clock' | 'ids'>,
  act: Act,
  target: string,
  entry: ReferencedEntry,
  after: unknown,
): Promise<boolean> {
  const done = await runAudited(deps, act, async (tx) =>
    (await postOnce(tx, entry, deps.clock.now())) ? { target, before: null, after } : null,
  );
  return done !== null;
}
