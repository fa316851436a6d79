import { resetMail } from '@paydesk/checkout';
import { type Clock, later, minutes } from '../../base/time/clock.ts';
import type { Database, Tx } from '../../base/pg/index.ts';
import { type NoticeDeps, owePasswordNotice, type SendDeps, sendOwed } from '../mail/index.ts';
import { deleteOneTimeOf, insertOneTime, selectOneTime, takeOneTime } from '../one-time-tokens/index.ts';
import {
  hashPassword,
  checkEmail,
  checkPassword,
  emailKey,
  selectPersonByEmail,
  updatePassword,
} from '../people/index.ts';
import { deleteSessionsOf } from '../sessions/index.ts';
import type { SignInLimits } from '../sign-in/index.ts';
import { AppError } from '../../base/errors.ts';
import type { IdSource } from '../../base/ids.ts';
import { tokenHash } from '../../base/secret-box.ts';
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

/** How long a link works, from when it is sent; real time. */
const linkLife_ms = minutes(30);

/**
 * Notes that somebody wants a link. Whether the address has an account is found out by a worker, later: so this
 * takes as long and says the same for every address.
 *
 * @throws AppError `rate_limited`; `invalid_request` where it can be no address
 */
export async function requestReset(
  { db, clock, ids, limits }: ResetDeps & { limits: SignInLimits },
  { email, address, locale }: { email: string; address: string; locale: string },
): Promise<void> {
  const checked = checkEmail(email);
  await limits.take('reset_address', address);
  await limits.take('reset_account', tokenHash(emailKey(checked)).toString('base64url'));
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

/** Sends the link of one request that is due: how many that were. Safe beside other workers. */
export const sendDueReset = (deps: SendDeps): Promise<number> =>
  sendOwed(deps, {
    claim: (now, next) => claimResetRequest(deps.db, now, next),
    remove: ({ request_id }) => deleteResetRequest(deps.db, request_id),
    send: (request) => sendLink(deps, request),
  });

async function sendLink(
  { db, clock, ids, mailer, public_url }: SendDeps,
  request: ResetRequest,
): Promise<void> {
  const person = await selectPersonByEmail(db, request.email);
  if (person === null) return;
  const token = ids.secret(32);
  const expires_at = later(clock.real(), linkLife_ms);
  await db.transaction(async (tx) => {
    await deleteOneTimeOf(tx, person.user_id, 'password_reset');
    await insertOneTime(tx, token, {
      purpose: 'password_reset',
      user_id: person.user_id,
      detail: {},
      expires_at,
    });
  });
  const link = `${public_url}/reset-password?token=${token}`;
  await mailer.send({ to: person.email, ...resetMail(request.locale, link) });
}

/** What apps were let do in a person's name: known to oauth/, which this module does not know. */
export interface AppTokens {
  /** Ends every token; what the person consented to stays, so that an app asks for a new one. */
  endTokens(tx: Tx, user_id: string): Promise<void>;
  /** Drops what is cached of tokens here, after the commit. */
  forget(): void;
}

/** Whether a link still works. */
export async function resetIsValid(
  { db, clock }: Pick<ResetDeps, 'db' | 'clock'>,
  token: string,
): Promise<boolean> {
  return (await selectOneTime(db, token, 'password_reset', clock.real())) !== null;
}

/**
 * Sets a new password by a link, ends every session of the person and all that apps were let do, and owes the person a
 * mail that says so.
 *
 * @throws AppError `invalid_request` on `password`; `invalid_code` where the link is over or was used
 */
export async function resetPassword(
  deps: Pick<ResetDeps, 'db'> & NoticeDeps & { apps: AppTokens },
  token: string,
  { password, locale }: { password: string; locale: string },
): Promise<void> {
  const { db, clock, apps } = deps;
  const checked = checkPassword(password);
  // Hashing is dear: whoever has no link gets none.
  if (!(await resetIsValid({ db, clock }, token))) throw new AppError('invalid_code');
  const password_hash = await hashPassword(checked);
  await db.transaction(async (tx) => {
    const found = await takeOneTime(tx, token, 'password_reset', clock.real());
    if (found?.user_id == null) throw new AppError('invalid_code');
    await updatePassword(tx, found.user_id, password_hash);
    await deleteSessionsOf(tx, found.user_id, null);
    // Whoever knew the old password and stood before the second factor stands there no more.
    await deleteOneTimeOf(tx, found.user_id, 'second_factor');
    await apps.endTokens(tx, found.user_id);
    await owePasswordNotice(tx, deps, { user_id: found.user_id, locale });
  });
  apps.forget();
}
