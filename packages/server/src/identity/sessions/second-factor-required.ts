/** The limit of a session whose person must set up a second factor first. */
import { AppError } from '../../base/errors.ts';
import type { SignedInUser } from '../people/index.ts';

/**
 * The person, for every call except to set up a second factor, to sign out and to read who is signed in.
 *
 * @throws AppError `second_factor_setup_required`, of which pages make the way to the set-up (D-940)
 */
export function requireEnrolled<T extends Pick<SignedInUser, 'must_enrol'> | null>(user: T): T {
  if (user?.must_enrol === true) throw new AppError('second_factor_setup_required');
  return user;
}
