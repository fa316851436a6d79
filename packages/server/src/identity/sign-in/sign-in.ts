/** Signs people in, by password and second factor. */
import { AppError } from '../../base/errors.ts';
import type { Database } from '../../base/pg/index.ts';
import {
  type FactorDeps,
  factorsOf,
  needsSecondFactor,
  pendingSecondFactor,
  startSecondFactor,
  secondFactorKind,
  useCode,
} from '../factors/index.ts';
import { takeOneTimeToken } from '../one-time-tokens/index.ts';
import {
  demandUnchanged,
  isPassword,
  mayBePassword,
  type Person,
  recordFailedSignIn,
  selectPerson,
  selectPersonByEmail,
  unknownAccount,
} from '../people/index.ts';
import type { Browser, Sessions } from '../sessions/index.ts';
import { knownDevice } from './known-devices.ts';
import { accountKey, countPasswordGuess, judge, type SignInLimits } from './limits.ts';

export interface SignInDeps extends FactorDeps {
  limits: SignInLimits;
  sessions: Sessions;
}

export interface Credentials {
  email: string;
  password: string;
}

export interface NewSession {
  person: Person;
  token: string;
}

/** A session; or, where a second factor must follow, a token that proves the right password. */
export type SignInOutcome = ({ done: true } & NewSession) | { done: false; pending: string };

/**
 * Checks a password, and begins a session where the person has no second factor. An unknown account takes as long as
 * a wrong password. Invariant: every guess is counted before it is judged, so that parallel guesses count too.
 *
 * @throws AppError `invalid_credentials`; `rate_limited`, even for the right password, after too many failures
 *   (limits.ts), or while too many passwords are being checked
 */
export async function signIn(
  deps: SignInDeps,
  { email, password }: Credentials,
  browser: Browser,
): Promise<SignInOutcome> {
  const account = accountKey(email);
  const device = await knownDevice(deps, browser.device, email);
  const guess = await countPasswordGuess(deps.limits, { account, address: browser.address, device });
  const judged = () => findPersonByPassword(deps.db, { email, password }, account);
  const { known, person } = await judge(judged, guess.giveBack);
  if (person === null) {
    const target = known === null ? unknownAccount(deps.box, email) : `user:${known.user_id}`;
    await recordFailedSignIn(deps.db, deps, { target, method: 'password' });
    throw new AppError('invalid_credentials');
  }
  await guess.forget();
  if (needsSecondFactor(await factorsOf(deps, person.user_id))) {
    const pending = await deps.db.transaction(async (tx) => {
      await demandUnchanged(tx, person);
      return startSecondFactor({ ...deps, db: tx }, person.user_id);
    });
    return { done: false, pending };
  }
  const beginner = { ...person, by_password_alone: true };
  return { done: true, person, token: await deps.sessions.begin(beginner, browser) };
}

/**
 * Begins a session by the code that follows a password. A wrong code leaves the pending sign-in valid for another try.
 * The limit counts by account, so starting over gives no more tries.
 *
 * @throws AppError `authentication_required` where no password came before, or it came too long ago; `invalid_code`;
 *   `rate_limited` after 10 wrong codes of one kind within 15 minutes
 */
export async function confirmSignIn(
  deps: SignInDeps,
  { pending, code }: { pending: string | null; code: string },
  browser: Browser,
): Promise<NewSession> {
  const { db, clock, limits } = deps;
  const user_id = await pendingSecondFactor(deps, pending);
  // Read before the step is used up: a change of the password either ends the step, or is seen when the session begins
  // (D-935).
  const person = user_id === null ? null : await selectPerson(db, user_id);
  if (pending === null || user_id === null || person === null) throw new AppError('authentication_required');
  const kind = secondFactorKind(code);
  await limits.take(kind, user_id);
  if (!(await useCode(deps, user_id, code))) {
    await recordFailedSignIn(db, deps, { target: `user:${user_id}`, method: 'code' });
    throw new AppError('invalid_code');
  }
  if ((await takeOneTimeToken(db, pending, 'second_factor', clock.real())) === null) {
    throw new AppError('authentication_required');
  }
  await limits.forget(kind, user_id);
  return { person, token: await deps.sessions.begin(person, browser) };
}

/**
 * Begins a session for a person who is authenticated.
 *
 * @param passkey the id of the one that they have used
 * @throws AppError `authentication_required` where they are disabled, or the passkey was removed meanwhile
 */
export async function beginSessionFor(
  deps: SignInDeps,
  user_id: string,
  browser: Browser,
  passkey?: string,
): Promise<NewSession> {
  const person = await selectPerson(deps.db, user_id);
  if (person === null || person.disabled_at !== null) throw new AppError('authentication_required');
  const { role } = person;
  return { person, token: await deps.sessions.begin({ user_id, role, passkey }, browser) };
}

/** Whose account it is, if it exists, and the person again if the password is right. */
async function findPersonByPassword(
  db: Database,
  { email, password }: Credentials,
  account: string,
): Promise<{ known: Person | null; person: Person | null }> {
  const possible = mayBePassword(password);
  const known = possible ? await selectPersonByEmail(db, email) : null;
  const right = await isPassword(known?.password_hash ?? null, possible ? password : '-', account);
  // A disabled person gets the answer of a wrong password, which takes as long.
  return { known, person: right && known?.disabled_at === null ? known : null };
}
