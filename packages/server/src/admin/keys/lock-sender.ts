/** Locks who sends a write of the administration, so that the write and the end of their access never pass each other. */
import { AppError } from '../../base/errors.ts';
import type { Tx } from '../../base/pg/index.ts';
import { isAdministrator, lockPeople } from '../../identity/people/index.ts';
import { demandSession } from '../../identity/sessions/index.ts';
import { selectAdminKeyForUpdate } from './admin-key.sql.ts';

/**
 * Locks the key of a sender. So a revocation finds every key that was made with it, and no change of people by it comes
 * after its end (D-975).
 *
 * @throws AppError `invalid_token` if it was revoked meanwhile
 */
export async function demandKey(tx: Tx, actor: string): Promise<void> {
  if (!actor.startsWith('key:')) return;
  const maker = await selectAdminKeyForUpdate(tx, actor.slice('key:'.length));
  if (maker === null || maker.revoked_at !== null) throw new AppError('invalid_token');
}

/**
 * Locks the sender of a write that gives access to others (D-1000). A request that ends the sender's role or key waits for
 * this lock, and then finds what the write has made. If the role or key has ended before, the write is refused.
 *
 * @param others the people whom the write locks too
 * @throws AppError `role_required`, `invalid_token` or `authentication_required` if role, key or session have ended meanwhile
 */
export async function demandAdministrator(
  tx: Tx,
  actor: string,
  others: readonly string[] = [],
): Promise<void> {
  const sender = actor.startsWith('user:') ? actor.slice('user:'.length) : null;
  // People before keys, and people in one order: so no two senders wait for each other.
  const people = await lockPeople(tx, sender === null ? others : [sender, ...others]);
  await demandKey(tx, actor);
  if (sender === null) return;
  const person = people.find(({ user_id }) => user_id === sender);
  if (person === undefined || !isAdministrator(person)) throw new AppError('role_required');
  await demandSession(tx, actor);
}
