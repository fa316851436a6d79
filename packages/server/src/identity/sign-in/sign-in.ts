import type { Database } from '../../base/pg/index.ts';
import { AppError } from '../../base/errors.ts';
import { tokenHash } from '../../base/secret-box.ts';
import {
  emailKey,
  isPassword,
  mayBePassword,
  type Person,
  selectPerson,
  selectPersonByEmail,
} from '../people/index.ts';
import { selectOneTime, takeOneTime } from '../one-time-tokens/index.ts';
import type { From, Sessions } from '../sessions/index.ts';
import {
  beginSecondFactor,
  type FactorDeps,
  factorsOf,
  needsSecondFactor,
  useCode,
} from '../factors/index.ts';
import type { SignInLimits } from './limits.ts';

export interface SignInDeps extends FactorDeps {
  limits: SignInLimits;
  sessions: Sessions;
}

export interface Attempt extends From {
  email: string;
  password: string;
}

export interface SignedIn {
  person: Person;
  token: string;
}

/** A session; or a token that stands for the right password, where a second factor has to follow. */
export type SignInOutcome = ({ done: true } & SignedIn) | { done: false; pending: string };

/**
 * Checks a password, and begins a session where no second factor is set up. An account without the password takes as
 * long as one that is not there.
 *
 * @throws AppError `invalid_credentials`; `rate_limited` after ten failures of one account or thirty of one address
 *   within fifteen minutes, whatever the password
 */
export async function signIn(deps: SignInDeps, attempt: Attempt): Promise<SignInOutcome> {
  const { limits } = deps;
  const { email, password, address } = attempt;
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
  if (needsSecondFactor(await factorsOf(deps, person.user_id))) {
    return { done: false, pending: await beginSecondFactor(deps, person.user_id) };
  }
  return { done: true, person, token: await deps.sessions.begin(person.user_id, attempt) };
}

/**
 * Begins a session by the code that follows a password. A wrong code leaves the pending sign-in as it is, for another
 * try; the limit counts by account, so that starting over gives no more tries.
 *
 * @throws AppError `authentication_required` where no password came before, or too long ago; `invalid_code`;
 *   `rate_limited` after ten wrong codes within fifteen minutes
 */
export async function confirmSignIn(
  deps: SignInDeps,
  { pending, code, ...from }: From & { pending: string | null; code: string },
): Promise<SignedIn> {
  const { db, clock, limits } = deps;
  const known = pending === null ? null : await selectOneTime(db, pending, 'second_factor', clock.real());
  if (pending === null || known?.user_id == null) throw new AppError('authentication_required');
  await limits.take('second_factor', known.user_id);
  if (!(await useCode(deps, known.user_id, code))) throw new AppError('invalid_code');
  if ((await takeOneTime(db, pending, 'second_factor', clock.real())) === null) {
    throw new AppError('authentication_required');
  }
  await limits.forget('second_factor', known.user_id);
  return beginFor(deps, known.user_id, from);
}

/** Begins a session for somebody who has shown who they are. */
export async function beginFor(deps: SignInDeps, user_id: string, from: From): Promise<SignedIn> {
  const person = await selectPerson(deps.db, user_id);
  if (person === null) throw new AppError('authentication_required');
  return { person, token: await deps.sessions.begin(user_id, from) };
}

async function personWith(db: Database, email: string, password: string): Promise<Person | null> {
  const possible = mayBePassword(password);
  const person = possible ? await selectPersonByEmail(db, email) : null;
  const right = await isPassword(person?.password_hash ?? null, possible ? password : '-');
  return right ? person : null;
}
