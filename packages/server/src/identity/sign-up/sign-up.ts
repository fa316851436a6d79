/**
 * Opens accounts for people who ask for one (D-233). Invariants: no answer reveals whether an address has an account;
 * an account is made only by a link that was sent to its address; and a link makes at most one account, within an hour.
 */
import { signUpMail } from '@paydesk/checkout';
import type { RegistrationResponseJSON } from '@simplewebauthn/server';
import { AppError } from '../../base/errors.ts';
import type { Database, Tx } from '../../base/pg/index.ts';
import { sealed } from '../../base/sealed-columns.ts';
import { SecretError, type SecretBox, tokenHash } from '../../base/secret-box.ts';
import { readSettings } from '../../base/settings/index.ts';
import { type Clock, hours, later } from '../../base/time/clock.ts';
import {
  type Ceremony,
  checkNewPasskey,
  type PasskeyDeps,
  savePasskey,
  startPasskeyRegistration,
} from '../factors/index.ts';
import { type SendDeps, sendQueued } from '../mail/index.ts';
import { selectOneTimeToken } from '../one-time-tokens/index.ts';
import {
  checkEmail,
  checkName,
  createUser,
  type Person,
  preparePerson,
  recordOwnAct,
  selectPersonByEmail,
} from '../people/index.ts';
import { accountKey, type SignInLimits } from '../sign-in/index.ts';
import {
  claimSignUp,
  deleteExpiredSignUps,
  endSignUpMail,
  insertSignUp,
  selectSignUp,
  selectSignUpOf,
  type SignUpRequest,
  takeSignUp,
  updateSignUpName,
  updateSignUpToken,
} from './sign-up-request.sql.ts';

export interface SignUpDeps extends PasskeyDeps {
  db: Database;
  limits: SignInLimits;
  /** Whether a mail transport is configured. */
  mail: boolean;
}

/** How long a link works after it was asked for; real time. */
const linkLife_ms = hours(1);

/** Whether people can open accounts: the platform allows it, and mail can be sent. */
export const isSignUpOpen = async ({ db, mail }: Pick<SignUpDeps, 'db' | 'mail'>): Promise<boolean> =>
  mail && (await readSettings(db)).sign_up;

/**
 * Queues a request for an account. A worker looks the address up later, so that the answer and its time are the same
 * for every address.
 *
 * @param return_to the path of Paydesk to continue with afterwards, already checked
 * @throws AppError `rate_limited`; `invalid_request` where the text is not an email address
 */
export async function requestSignUp(
  { db, clock, ids, box, limits }: SignUpDeps,
  asked: { email: string; address: string; locale: string; return_to: string },
): Promise<void> {
  const email = checkEmail(asked.email);
  await limits.take('sign_up_address', asked.address);
  await limits.take('sign_up_account', accountKey(email));
  const now = clock.real();
  const request_id = ids.uuid();
  await insertSignUp(db, {
    ...{ request_id, email, locale: asked.locale, user_id: ids.uuid(), name: '', tries: 0 },
    return_box: box.seal(asked.return_to, sealed.signUpReturn.row({ request_id })),
    ...{ requested_at: now, expires_at: later(now, linkLife_ms), due_at: now },
  });
}

/** Sends the mail of one due request; returns how many it found (0 or 1). Several workers may call it at once. */
export const sendDueSignUp = (deps: SendDeps): Promise<number> =>
  sendQueued(deps, {
    claim: (now, next) => claimSignUp(deps.db, now, next),
    remove: ({ request_id }) => endSignUpMail(deps.db, request_id),
    send: (request) => sendLink(deps, request),
  });

async function sendLink(
  { db, clock, ids, mailer, public_url }: SendDeps,
  { request_id, email, locale, expires_at }: SignUpRequest,
): Promise<void> {
  if (expires_at <= clock.real()) return;
  const known = await selectPersonByEmail(db, email);
  if (known !== null) {
    // The reader of this mail owns the address, so it may say what no page says.
    if (known.disabled_at !== null) return;
    const links = { link: `${public_url}/sign-in`, reset: `${public_url}/forgot-password` };
    await mailer.send({ to: known.email, ...signUpMail(locale, { known: true, ...links }) });
    return;
  }
  const token = ids.secret(32);
  await updateSignUpToken(db, request_id, tokenHash(token));
  const link = `${public_url}/sign-up/confirm?token=${token}`;
  await mailer.send({ to: email, ...signUpMail(locale, { known: false, link }) });
}

/** A link that still works. */
export interface OpenSignUp {
  request: SignUpRequest;
  /** The path to continue with; null where its seal no longer opens. */
  return_to: string | null;
}

/** The request behind a link; null where the link is unknown, used or over. */
export async function findSignUp(
  { db, clock, box }: { db: Database; clock: Clock; box: SecretBox },
  token: string,
): Promise<OpenSignUp | null> {
  const request = await selectSignUp(db, tokenHash(token), clock.real());
  return request === null ? null : { request, return_to: returnOf(box, request) };
}

function returnOf(box: SecretBox, { request_id, return_box }: SignUpRequest): string | null {
  try {
    return box.open(return_box, sealed.signUpReturn.row({ request_id }));
  } catch (error) {
    // The key was retired within the hour: the account matters more than the page to go on with.
    if (error instanceof SecretError) return null;
    throw error;
  }
}

/**
 * Makes the account of a link, with a password.
 *
 * @throws AppError `invalid_request` with `field` `name` or `password`; `invalid_code` where the link was used meanwhile,
 *   or the address has got an account
 */
export async function signUpByPassword(
  deps: SignUpDeps,
  { request }: OpenSignUp,
  { name, password }: { name: string; password: string },
): Promise<string> {
  const person = await personOf(deps, request, { name, password });
  return deps.db.transaction((tx) => makeAccount(deps, tx, request, person));
}

/** Asks a device for a passkey of the account that a link will create. Throws `invalid_request` with `field` `name`. */
export async function startSignUpPasskey(
  deps: SignUpDeps,
  { request }: OpenSignUp,
  name: string,
): Promise<Ceremony<object>> {
  const checked = checkName(name);
  await updateSignUpName(deps.db, request.request_id, checked);
  const { user_id, email } = request;
  return startPasskeyRegistration(deps, { user_id, email, name: checked });
}

/**
 * Makes the account whose passkey a device was asked for. It has no password: the person can set one by a link.
 *
 * @param token of the question to the device: it was given only for a link that works
 * @throws AppError `invalid_code`
 */
export async function signUpByPasskey(
  deps: SignUpDeps,
  token: string | null,
  response: RegistrationResponseJSON,
): Promise<string> {
  const { db, clock, ids } = deps;
  const asked = token === null ? null : await selectOneTimeToken(db, token, 'passkey_new', clock.real());
  const request = asked?.user_id == null ? null : await selectSignUpOf(db, asked.user_id, clock.real());
  if (request === null) throw new AppError('invalid_code');
  const passkey = await checkNewPasskey(deps, request.user_id, token, response);
  const person = await personOf(deps, request, { name: request.name, password: ids.secret(32) });
  return db.transaction(async (tx) => {
    const user_id = await makeAccount(deps, tx, request, person);
    await savePasskey(tx, deps, passkey);
    return user_id;
  });
}

const personOf = (
  { clock }: SignUpDeps,
  { user_id, email }: SignUpRequest,
  chosen: { name: string; password: string },
): Promise<Person> => preparePerson({ ids: { uuid: () => user_id } }, { email, ...chosen }, clock.now());

async function makeAccount(
  deps: SignUpDeps,
  tx: Tx,
  request: SignUpRequest,
  person: Person,
): Promise<string> {
  if (!(await takeSignUp(tx, request))) throw new AppError('invalid_code');
  await createUser(tx, person).catch((error: unknown) => {
    if (error instanceof AppError && error.code === 'already_exists') throw new AppError('invalid_code');
    throw error;
  });
  const { user_id, email, name, role } = person;
  await recordOwnAct(tx, deps, user_id, 'user.create', { user_id, email, name, role });
  return user_id;
}

/** Deletes the requests whose links are over; returns how many. */
export const purgeExpiredSignUps = ({ db, clock }: { db: Database; clock: Clock }): Promise<number> =>
  deleteExpiredSignUps(db, clock.real(), 1_000);
