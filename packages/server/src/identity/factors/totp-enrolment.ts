import { AppError } from '../../base/errors.ts';
import { advanceTotp, confirmTotp, deleteTotp, insertTotp, selectTotp } from './totp.sql.ts';
import { replaceRecoveryCodes } from './recovery-code.sql.ts';
import { selectPasskeysOf } from './passkey.sql.ts';
import { newRecoveryCodes, recoveryDigest } from './recovery-code.ts';
import { newTotpSecret, stepOfCode, totpUri } from './totp.ts';
import type { FactorDeps } from './factors.ts';

/** What an authenticator app has to be told. */
export interface TotpEnrolment {
  secret: string;
  uri: string;
}

/** Begins to set up an app: it counts once `confirmApp` has seen a code. Throws `already_exists` where one counts. */
export async function beginApp(
  { db, ids, box }: FactorDeps,
  { user_id, email }: { user_id: string; email: string },
): Promise<TotpEnrolment> {
  const secret = newTotpSecret(ids);
  if (!(await insertTotp(db, user_id, box.seal(secret)))) throw new AppError('already_exists');
  return { secret, uri: totpUri(secret, email) };
}

/** The app that is being set up, to be shown again; null where there is none. */
export async function pendingApp(
  { db, box }: Pick<FactorDeps, 'db' | 'box'>,
  { user_id, email }: { user_id: string; email: string },
): Promise<TotpEnrolment | null> {
  const row = await selectTotp(db, user_id);
  if (row === null || row.confirmed_at !== null) return null;
  const secret = box.open(row.secret_box);
  return { secret, uri: totpUri(secret, email) };
}

/**
 * Lets an app count, once it has shown the code of now.
 *
 * @returns new recovery codes, in place of all older ones
 * @throws AppError `invalid_code`
 */
export async function confirmApp(deps: FactorDeps, user_id: string, code: string): Promise<string[]> {
  const { db, clock, box } = deps;
  return db.transaction(async (tx) => {
    const row = await selectTotp(tx, user_id);
    const now = clock.real();
    const step = row === null ? null : stepOfCode(box.open(row.secret_box), code.replace(/\s/g, ''), now);
    const right =
      step !== null && (await advanceTotp(tx, user_id, step)) && (await confirmTotp(tx, user_id, now));
    if (!right) throw new AppError('invalid_code');
    const codes = newRecoveryCodes(deps.ids);
    await replaceRecoveryCodes(
      tx,
      user_id,
      codes.map((fresh) => recoveryDigest(box, user_id, fresh)),
    );
    return codes;
  });
}

/** Takes an authenticator app away; with the last factor the recovery codes go as well. */
export async function removeApp({ db }: Pick<FactorDeps, 'db'>, user_id: string): Promise<void> {
  await db.transaction(async (tx) => {
    await deleteTotp(tx, user_id);
    if ((await selectPasskeysOf(tx, user_id)).length === 0) await replaceRecoveryCodes(tx, user_id, []);
  });
}
