/** Locks who sends a write of the administration, so that the write and the end of their access never pass each other. */
import { AppError } from '../../base/errors.ts';
import type { Tx } from '../../base/pg/index.ts';
import { isAdministrator, lockPerson } from '../../identity/people/index.ts';
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
 * @throws AppError `role_required`, `invalid_token` or `authentication_required` if role, key or session have ended meanwhile
 */
export async function demandAdministrator(tx: Tx, actor: string): Promise<void> {
  await demandKey(tx, actor);
  if (!actor.startsWith('user:')) return;
  const person = await lockPerson(tx, actor.slice('user:'.length));
  if (person === null || !isAdministrator(person)) throw new AppError('role_required');
  await demandSession(tx, actor);
}
