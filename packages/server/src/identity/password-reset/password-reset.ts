/**
 * Resets a forgotten password by a link that is sent by mail. Invariant: no answer reveals whether an address has an
 * account, a link works once and for 30 minutes, and a reset ends every session and app token of the person.
 */
import { resetMail } from '@paydesk/checkout';
import { AppError } from '../../base/errors.ts';
import type { IdSource } from '../../base/ids.ts';
import type { Database, Tx } from '../../base/pg/index.ts';
import { type Clock, later, minutes } from '../../base/time/clock.ts';
import { type NoticeDeps, queuePasswordNotice, type SendDeps, sendQueued } from '../mail/index.ts';
import {
  deleteOneTimeTokensOf,
  insertOneTimeToken,
  selectOneTimeToken,
  takeOneTimeToken,
} from '../one-time-tokens/index.ts';
import {
  checkEmail,
  checkPassword,
  hashPassword,
  type Person,
  recordOwnAct,
  selectPerson,
  selectPersonByEmail,
  updatePassword,
} from '../people/index.ts';
import { deleteSessionsOf } from '../sessions/index.ts';
import { accountKey, type SignInLimits } from '../sign-in/index.ts';
import {
  claimResetRequest,
  deleteResetRequest,
  insertResetRequest,
  type ResetRequest,
} from './password-reset.sql.ts';

export interface ResetDeps {
  db: Database;
  clock: Clock;
  ids: IdSource;
}

/** How long a link works after it was made; real time. */
const linkLife_ms = minutes(30);

/**
 * Queues a request for a link. A worker looks the account up later, so that the answer and its time are the same for
 * every address.
 *
 * @throws AppError `rate_limited`; `invalid_request` where the text is not an email address
 */
export async function requestReset(
  { db, clock, ids, limits }: ResetDeps & { limits: SignInLimits },
  { email, address, locale }: { email: string; address: string; locale: string },
): Promise<void> {
  const checked = checkEmail(email);
  await limits.take('reset_address', address);
  await limits.take('reset_account', accountKey(checked));
  const now = clock.real();
  const request = {
    request_id: ids.uuid(),
    email: checked,
    locale,
    requested_at: now,
    due_at: now,
    tries: 0,
  };
  await insertResetRequest(db, request);
}

/** Sends the link of one due request; returns how many it found (0 or 1). Several workers may call it at once. */
export const sendDueReset = (deps: SendDeps): Promise<number> =>
  sendQueued(deps, {
    claim: (now, next) => claimResetRequest(deps.db, now, next),
    remove: ({ request_id }) => deleteResetRequest(deps.db, request_id),
    send: (request) => sendLink(deps, request),
  });

async function sendLink(
  { db, clock, ids, mailer, public_url }: SendDeps,
  request: ResetRequest,
): Promise<void> {
  const person = await selectPersonByEmail(db, request.email);
  if (person === null || person.disabled_at !== null) return;
  const token = ids.secret(32);
  const expires_at = later(clock.real(), linkLife_ms);
  await db.transaction(async (tx) => {
    await deleteOneTimeTokensOf(tx, person.user_id, 'password_reset');
    await insertOneTimeToken(tx, token, {
      purpose: 'password_reset',
      user_id: person.user_id,
      detail: {},
      expires_at,
    });
  });
  const link = `${public_url}/reset-password?token=${token}`;
  await mailer.send({ to: person.email, ...resetMail(request.locale, link) });
}

/** The tokens of connected apps: oauth/ has them, which this module does not know. */
export interface AppTokens {
  /** Deletes every token of a person. Their consents stay, so an app can ask for a new token. */
  endTokens(tx: Tx, user_id: string): Promise<void>;
  /** Drops the tokens that this process has cached. Call it after the commit. */
  forget(): void;
}

/** Whether a link still works. */
export async function isResetValid(
  { db, clock }: Pick<ResetDeps, 'db' | 'clock'>,
  token: string,
): Promise<boolean> {
  return (await selectOneTimeToken(db, token, 'password_reset', clock.real())) !== null;
}

/**
 * Sets a new password by a link. Ends every session and app token of the person, and queues a mail that tells them.
 *
 * @returns the person, with the former password
 * @throws AppError `invalid_request` with `field` `password`; `invalid_code` where the link expired or was used
 */
export async function resetPassword(
  deps: ResetDeps & NoticeDeps & { apps: AppTokens },
  token: string,
  { password, locale }: { password: string; locale: string },
): Promise<Person> {
  const { db, clock, apps } = deps;
  const checked = await checkPassword(password);
  // Hashing is expensive, so it needs a valid link.
  if (!(await isResetValid({ db, clock }, token))) throw new AppError('invalid_code');
  const password_hash = await hashPassword(checked);
  const person = await db.transaction(async (tx) => {
    const found = await takeOneTimeToken(tx, token, 'password_reset', clock.real());
    if (found?.user_id == null) throw new AppError('invalid_code');
    const before = await selectPerson(tx, found.user_id);
    if (before === null) throw new AppError('invalid_code');
    await updatePassword(tx, found.user_id, password_hash, null);
    await deleteSessionsOf(tx, found.user_id, null);
    // A sign-in with the old password that waits for its second factor ends too.
    await deleteOneTimeTokensOf(tx, found.user_id, 'second_factor');
    await apps.endTokens(tx, found.user_id);
    await recordOwnAct(tx, deps, found.user_id, 'password.reset');
    await queuePasswordNotice(tx, deps, { user_id: found.user_id, locale });
    return before;
  });
  apps.forget();
  return person;
}
