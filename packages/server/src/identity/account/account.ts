import type { Clock } from '../../base/time/clock.ts';
import type { Database } from '../../base/pg/index.ts';
import { AppError } from '../../base/errors.ts';
import { tokenHash } from '../../base/secret-box.ts';
import { type NoticeDeps, owePasswordNotice } from '../mail/index.ts';
import { deleteOneTimeOf } from '../one-time-tokens/index.ts';
import {
  hashPassword,
  isPassword,
  checkName,
  checkPassword,
  emailKey,
  mayBePassword,
  type SessionUser,
  selectPerson,
  updateName,
  updatePassword,
} from '../people/index.ts';
import { deleteSessionsOf } from '../sessions/index.ts';
import type { SignInLimits } from '../sign-in/index.ts';

export interface AccountDeps {
  db: Database;
  clock: Clock;
  limits: SignInLimits;
}

/**
 * Demands the present password of somebody who is signed in: what a stolen session must not be able to do needs it.
 * Guesses count with those of signing in.
 *
 * @throws AppError `invalid_credentials`, `rate_limited`
 */
export async function demandPassword(
  { db, limits }: Pick<AccountDeps, 'db' | 'limits'>,
  { user_id, email }: Pick<SessionUser, 'user_id' | 'email'>,
  password: string,
): Promise<void> {
  const account = tokenHash(emailKey(email)).toString('base64url');
  await limits.take('sign_in_account', account);
  const person = mayBePassword(password) ? await selectPerson(db, user_id) : null;
  if (person === null || !(await isPassword(person.password_hash, password))) {
    throw new AppError('invalid_credentials');
  }
  await limits.forget('sign_in_account', account);
}

/**
 * Changes a password by the present one, ends every other session, and owes the person a mail that says so.
 *
 * @param session the token of the session that stays
 * @throws AppError as `demandPassword`; `invalid_request` on `password`
 */
export async function changePassword(
  deps: AccountDeps & NoticeDeps,
  user: Pick<SessionUser, 'user_id' | 'email'>,
  session: string,
  { password, new_password, locale }: { password: string; new_password: string; locale: string },
): Promise<void> {
  await demandPassword(deps, user, password);
  const password_hash = await hashPassword(checkPassword(new_password));
  await deps.db.transaction(async (tx) => {
    await updatePassword(tx, user.user_id, password_hash);
    await deleteSessionsOf(tx, user.user_id, tokenHash(session));
    for (const purpose of ['password_reset', 'second_factor'] as const) {
      await deleteOneTimeOf(tx, user.user_id, purpose);
    }
    await owePasswordNotice(tx, deps, { user_id: user.user_id, locale });
  });
}

/** Throws `invalid_request` on `name`. */
export async function changeName(
  { db }: Pick<AccountDeps, 'db'>,
  user_id: string,
  name: string,
): Promise<void> {
  await updateName(db, user_id, checkName(name));
}
