/** Prevents changes of a person while one of their sessions, or a change that they make, is stored. */
import { AppError } from '../../base/errors.ts';
import type { Tx } from '../../base/pg/index.ts';
import type { Person } from './person.ts';
import { lockPerson } from './person.sql.ts';

/**
 * Locks a person until the end of the transaction. A change of the password and the disabling of an account change the
 * person first and then delete the sessions: so they delete a session that is stored under this lock, or it is refused
 * here.
 *
 * @param password_hash the hash whose password was right; absent if the sign-in needed no password
 * @throws AppError `authentication_required` if the person is gone or disabled (D-975), `invalid_credentials` if the password
 *   was changed meanwhile (D-935)
 */
export async function demandUnchanged(
  tx: Tx,
  { user_id, password_hash }: Pick<Person, 'user_id'> & { password_hash?: string },
): Promise<void> {
  const person = await lockPerson(tx, user_id);
  if (person === null || person.disabled_at !== null) throw new AppError('authentication_required');
  if (password_hash !== undefined && password_hash !== person.password_hash) {
    throw new AppError('invalid_credentials');
  }
}
