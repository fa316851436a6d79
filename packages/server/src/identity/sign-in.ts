import type { Database } from '../base/db.ts';
import { AppError } from '../base/errors.ts';
import { tokenHash } from '../base/secret-box.ts';
import { isPassword } from './password.ts';
import { emailKey, mayBePassword, type Person } from './person.ts';
import { selectPersonByEmail } from './person.sql.ts';
import type { Sessions } from './sessions.ts';

type Group = 'sign_in_account' | 'sign_in_address';

/** What counts the failures: the limiter of http/, which this module does not know. */
export interface SignInLimits {
  take(group: Group, key: string): Promise<void>;
  check(group: Group, key: string): Promise<void>;
  forget(group: Group, key: string): Promise<void>;
}

export interface SignInDeps {
  db: Database;
  limits: SignInLimits;
  sessions: Sessions;
}

export interface Attempt {
  email: string;
  password: string;
  /** Where it comes from. */
  address: string;
  /** The session token that the browser had before, which ends. */
  previous: string | null;
}

/**
 * Checks a password and begins a session. An account without the password takes as long as one that is not there.
 *
 * @throws AppError `invalid_credentials`; `rate_limited` after ten failures of one account or thirty of one address
 *   within fifteen minutes, whatever the password
 */
export async function signIn(deps: SignInDeps, attempt: Attempt): Promise<{ person: Person; token: string }> {
  const { limits } = deps;
  const { email, password, address, previous } = attempt;
  // As a digest: what people type into the field may be anything, and long.
  const account = tokenHash(emailKey(email)).toString('base64url');
  await limits.check('sign_in_address', address);
  // Counted before it is judged, so that many guesses at once are counted as well; forgotten if it was right.
  await limits.take('sign_in_account', account);
  const person = await personWith(deps.db, email, password);
  if (person === null) {
    await limits.take('sign_in_address', address);
    throw new AppError('invalid_credentials');
  }
  await limits.forget('sign_in_account', account);
  return { person, token: await deps.sessions.begin(person.user_id, previous) };
}

async function personWith(db: Database, email: string, password: string): Promise<Person | null> {
  const possible = mayBePassword(password);
  const person = possible ? await selectPersonByEmail(db, email) : null;
  const right = await isPassword(person?.password_hash ?? null, possible ? password : '-');
  return right ? person : null;
}
