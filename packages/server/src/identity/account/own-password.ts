/**
 * Checks and changes a person's own password. Invariant: a signed-in browser alone can never change how the account is
 * protected; that needs the current password.
 */
import { AppError } from '../../base/errors.ts';
import type { IdSource } from '../../base/ids.ts';
import type { Database } from '../../base/pg/index.ts';
import { tokenHash } from '../../base/secret-box.ts';
import type { Clock } from '../../base/time/clock.ts';
import { demandFactorShown } from '../factors/index.ts';
import { type NoticeDeps, queuePasswordNotice } from '../mail/index.ts';
import { deleteOneTimeTokensOf } from '../one-time-tokens/index.ts';
import {
  checkPassword,
  hashPassword,
  isPassword,
  mayBePassword,
  recordOwnAct,
  selectPerson,
  type SignedInUser,
  updatePassword,
} from '../people/index.ts';
import type { AppTokens } from '../password-reset/index.ts';
import { deleteSessionsOf, demandSession } from '../sessions/index.ts';
import { judge, type SignInLimits } from '../sign-in/index.ts';

export interface AccountDeps {
  db: Database;
  clock: Clock;
  ids: IdSource;
  limits: SignInLimits;
}

/**
 * Checks the current password of a signed-in person, so that a stolen session alone is not enough. Wrong guesses count
 * separately: guesses of strangers at the sign-in page do not keep the person from changing the password.
 *
 * @returns the hash that it was compared with
 * @throws AppError `invalid_credentials`, `rate_limited`; `authentication_required` as `demandFactorShown`
 */
export async function requirePassword(
  deps: Pick<AccountDeps, 'db' | 'limits' | 'clock' | 'ids'>,
  user: Pick<SignedInUser, 'user_id' | 'signed_in_at'>,
  password: string,
): Promise<string> {
  const { db, limits } = deps;
  const { user_id } = user;
  await demandFactorShown(db, user);
  await limits.take('password_check', user_id);
  const findHash = async (): Promise<string | null> => {
    const person = mayBePassword(password) ? await selectPerson(db, user_id) : null;
    if (person === null || !(await isPassword(person.password_hash, password, user_id))) return null;
    return person.password_hash;
  };
  const password_hash = await judge(findHash, () => limits.giveBack('password_check', user_id));
  if (password_hash === null) {
    await recordOwnAct(db, deps, user_id, 'password.check-failed');
    throw new AppError('invalid_credentials');
  }
  await limits.forget('password_check', user_id);
  return password_hash;
}

/**
 * Changes a password, given the current one, which must not change meanwhile: a thief of both cannot undo a reset that
 * overtakes this (D-974). Ends every other session and every app token of the person, and queues a mail that tells them.
 *
 * @param session the token of the session that stays
 * @throws AppError as `requirePassword`; `invalid_request` with `field` `password`; `authentication_required` if the session has
 *   ended meanwhile (D-1100)
 */
export async function changePassword(
  deps: AccountDeps & NoticeDeps & { apps: AppTokens },
  user: Pick<SignedInUser, 'user_id' | 'signed_in_at'>,
  session: string,
  { password, new_password, locale }: { password: string; new_password: string; locale: string },
): Promise<void> {
  const before = await requirePassword(deps, user, password);
  const password_hash = await hashPassword(await checkPassword(new_password));
  await deps.db.transaction(async (tx) => {
    if (!(await updatePassword(tx, user.user_id, password_hash, before)))
      throw new AppError('invalid_credentials');
    await demandSession(tx, `user:${user.user_id}`);
    await deleteSessionsOf(tx, user.user_id, tokenHash(session));
    for (const purpose of ['password_reset', 'second_factor'] as const) {
      await deleteOneTimeTokensOf(tx, user.user_id, purpose);
    }
    await deps.apps.endTokens(tx, user.user_id);
    await recordOwnAct(tx, deps, user.user_id, 'password.change');
    await queuePasswordNotice(tx, deps, { user_id: user.user_id, locale });
  });
  deps.apps.forget();
}
