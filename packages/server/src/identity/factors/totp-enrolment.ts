/**
 * Sets up and removes an authenticator app. Invariants: an app is asked for at sign-in only after it has shown one right
 * code (`confirmed_at`); until then only the session that sets it up sees its secret, so nobody else has a copy (D-1002);
 * and an account without a factor has no recovery codes.
 */
import { AppError } from '../../base/errors.ts';
import type { Tx } from '../../base/pg/index.ts';
import { sealed } from '../../base/sealed-columns.ts';
import { recordOwnAct, recordShown } from '../people/index.ts';
import type { FactorDeps } from './factors.ts';
import { selectPasskeysOf } from './passkey.sql.ts';
import { replaceRecoveryCodes } from './recovery-code.sql.ts';
import { issueRecoveryCodes } from './issue-recovery-codes.ts';
import { advanceTotp, confirmTotp, deleteTotp, insertTotp, selectTotp, type TotpRow } from './totp.sql.ts';
import { newTotpSecret, stepOfCode, totpUri } from './totp.ts';

/** What the person gives to the authenticator app. */
export interface TotpEnrolment {
  secret: string;
  /** For the QR code. */
  uri: string;
}

/** Starts to set up an app. Throws `already_exists` where one is confirmed. */
export async function startTotpEnrolment(
  deps: FactorDeps,
  { user_id, email }: { user_id: string; email: string },
  session_id: string,
): Promise<TotpEnrolment> {
  const { db, ids, box } = deps;
  const secret = newTotpSecret(ids);
  const secret_box = box.seal(`${secret} ${session_id}`, sealed.totpSecret.row({ user_id }));
  await db.transaction(async (tx) => {
    if (!(await insertTotp(tx, user_id, secret_box))) throw new AppError('already_exists');
    await recordShown(tx, deps, user_id, 'totp_secret');
  });
  return { secret, uri: totpUri(secret, email) };
}

/** The secret of an app that this session is setting up; null where there is none. */
function pendingSecret(
  { box }: Pick<FactorDeps, 'box'>,
  row: TotpRow | null,
  session_id: string,
): string | null {
  if (row === null || row.confirmed_at !== null) return null;
  const [secret = '', starter] = box.open(row.secret_box, sealed.totpSecret.row(row)).split(' ');
  return starter === session_id ? secret : null;
}

/** The app that this session is setting up, to show it again; null where there is none. */
export async function pendingTotpEnrolment(
  deps: Pick<FactorDeps, 'db' | 'box'>,
  { user_id, email }: { user_id: string; email: string },
  session_id: string,
): Promise<TotpEnrolment | null> {
  const secret = pendingSecret(deps, await selectTotp(deps.db, user_id), session_id);
  return secret === null ? null : { secret, uri: totpUri(secret, email) };
}

/**
 * Confirms an app by its current code. Call it under the person's lock.
 *
 * @returns new recovery codes, which replace all older ones
 * @throws AppError `invalid_code`
 */
export async function confirmTotpEnrolment(
  tx: Tx,
  deps: FactorDeps,
  user_id: string,
  { session_id, code }: { session_id: string; code: string },
): Promise<string[]> {
  const { clock, box } = deps;
  const row = await selectTotp(tx, user_id);
  const now = clock.real();
  const secret = pendingSecret(deps, row, session_id);
  const step = secret === null ? null : stepOfCode(secret, code, now);
  if (secret === null || step === null) throw new AppError('invalid_code');
  const secret_box = box.seal(secret, sealed.totpSecret.row({ user_id }));
  const right = (await advanceTotp(tx, user_id, step)) && (await confirmTotp(tx, user_id, secret_box, now));
  if (!right) throw new AppError('invalid_code');
  await recordOwnAct(tx, deps, user_id, 'factor.add', { factor: 'totp' });
  return issueRecoveryCodes(tx, deps, user_id);
}

/** Removes an authenticator app, and the recovery codes where it was the last factor. */
export async function removeTotp(tx: Tx, deps: FactorDeps, user_id: string): Promise<void> {
  await deleteTotp(tx, user_id);
  await recordOwnAct(tx, deps, user_id, 'factor.remove', { factor: 'totp' });
  if ((await selectPasskeysOf(tx, user_id)).length === 0) await replaceRecoveryCodes(tx, user_id, []);
}
