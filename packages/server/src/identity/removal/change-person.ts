/**
 * What administrators do to other people's accounts: role, name, disabling, ending sessions, removing second factors.
 * Invariants: one active administrator stays; a disabled person has no session, no pending sign-in and no app token.
 */
import { AppError } from '../../base/errors.ts';
import type { Tx } from '../../base/pg/index.ts';
import { deleteFactorsOf } from '../factors/index.ts';
import { deleteOneTimeTokensOf } from '../one-time-tokens/index.ts';
import type { AppTokens } from '../password-reset/index.ts';
import {
  checkName,
  isAdministrator,
  lockWithAdministrators,
  type Person,
  type Role,
  updatePerson,
} from '../people/index.ts';
import { deleteSessionsOf, demandSession } from '../sessions/index.ts';

export interface PersonChange {
  role?: Role | undefined;
  disabled?: boolean | undefined;
  name?: string | undefined;
}

/**
 * Changes an account. Disabling ends all access of the person, at once in every process: sessions are read from the
 * database for each request. The caller announces the change to the caches, which know the tokens of apps (D-169).
 *
 * @param actor who makes the change, as the audit log names them: a person must be an administrator still, so that no one
 *   undoes what takes this role from them just now (D-975)
 * @throws AppError `not_found`; `role_required`; as `demandSession`; `last_administrator` where no active administrator would be left;
 *   `invalid_request`
 */
export async function changePerson(
  tx: Tx,
  apps: AppTokens,
  user_id: string,
  { role, disabled, name }: PersonChange,
  { actor, now }: { actor: string; now: Date },
): Promise<{ before: Person; after: Person }> {
  const found = await lockWithAdministrators(tx, user_id);
  if (found === null) throw new AppError('not_found');
  const { person: before, administrators } = found;
  if (actor.startsWith('user:') && !administrators.includes(actor.slice('user:'.length))) {
    throw new AppError('role_required');
  }
  await demandSession(tx, actor);
  const after: Person = {
    ...before,
    role: role ?? before.role,
    name: name === undefined ? before.name : checkName(name),
    disabled_at: disabledAt(before, disabled, now),
  };
  if (isAdministrator(before) && !isAdministrator(after) && administrators.length === 1) {
    throw new AppError('last_administrator');
  }
  await updatePerson(tx, after);
  if (before.disabled_at === null && after.disabled_at !== null) await endAllAccess(tx, apps, user_id);
  return { before, after };
}

/** A person who is disabled already stays disabled since then. */
function disabledAt({ disabled_at }: Person, disabled: boolean | undefined, now: Date): Date | null {
  if (disabled === undefined) return disabled_at;
  return disabled ? (disabled_at ?? now) : null;
}

async function endAllAccess(tx: Tx, apps: AppTokens, user_id: string): Promise<void> {
  await deleteSessionsOf(tx, user_id, null);
  for (const purpose of ['second_factor', 'password_reset', 'passkey_new', 'passkey_use'] as const) {
    await deleteOneTimeTokensOf(tx, user_id, purpose);
  }
  await apps.endTokens(tx, user_id);
}

/**
 * Signs a person out everywhere; returns how many sessions ended. A sign-in that waits for its code ends too. Call it under the
 * person's lock, so that it comes after the writes and sign-ins that are under way (D-1086).
 */
export async function endSessionsOf(tx: Tx, user_id: string): Promise<number> {
  await deleteOneTimeTokensOf(tx, user_id, 'second_factor');
  return deleteSessionsOf(tx, user_id, null);
}

/** Removes every second factor of a person, for one who has lost them; returns how many apps and passkeys. */
export async function removeFactorsOf(tx: Tx, user_id: string): Promise<number> {
  await deleteOneTimeTokensOf(tx, user_id, 'passkey_new');
  return deleteFactorsOf(tx, user_id);
}
