import { type Clock, later, minutes } from '../../base/time/clock.ts';
import type { Database } from '../../base/pg/index.ts';
import { AppError } from '../../base/errors.ts';
import type { IdSource } from '../../base/ids.ts';
import type { SecretBox } from '../../base/secret-box.ts';
import {
  advanceTotp,
  confirmTotp,
  deleteRecoveryCode,
  deleteTotp,
  insertTotp,
  replaceRecoveryCodes,
  selectPasskeysOf,
  selectRecoveryCodes,
  selectTotp,
} from './factor.sql.ts';
import { insertOneTime } from '../people/index.ts';
import { matchingDigest, newRecoveryCodes, readRecoveryCode, recoveryDigest } from './recovery-codes.ts';
import { newTotpSecret, stepOfCode, totpUri } from './totp.ts';

export interface FactorDeps {
  db: Database;
  clock: Clock;
  ids: IdSource;
  box: SecretBox;
}

/** What stands between a person's password and a session. */
export interface Factors {
  totp: boolean;
  passkeys: { credential_id: string; created_at: Date }[];
  recovery_codes: number;
}

export async function factorsOf({ db }: Pick<FactorDeps, 'db'>, user_id: string): Promise<Factors> {
  const [totp, passkeys, codes] = await Promise.all([
    selectTotp(db, user_id),
    selectPasskeysOf(db, user_id),
    selectRecoveryCodes(db, user_id),
  ]);
  return {
    totp: totp !== null && totp.confirmed_at !== null,
    passkeys: passkeys.map(({ credential_id, created_at }) => ({ credential_id, created_at })),
    recovery_codes: codes.length,
  };
}

export const needsSecondFactor = ({ totp, passkeys }: Factors): boolean => totp || passkeys.length > 0;

/** How long a person may take between the password and the second factor; real time. */
const pendingLife_ms = minutes(10);

/** Notes that the password was right. The token that comes back stands for that, and opens nothing by itself. */
export async function beginSecondFactor({ db, clock, ids }: FactorDeps, user_id: string): Promise<string> {
  const token = ids.secret(32);
  const expires_at = later(clock.real(), pendingLife_ms);
  await insertOneTime(db, token, { purpose: 'second_factor', user_id, detail: {}, expires_at });
  return token;
}

/** Whether this is a code of the person's app that was not used before, or a recovery code, which is used by this. */
export async function useCode(deps: FactorDeps, user_id: string, text: string): Promise<boolean> {
  const { db, clock, box } = deps;
  const code = text.trim();
  const totp = await selectTotp(db, user_id);
  if (totp !== null && totp.confirmed_at !== null) {
    const step = stepOfCode(box.open(totp.secret_box), code.replace(/\s/g, ''), clock.real());
    if (step !== null) return advanceTotp(db, user_id, step);
  }
  const recovery = readRecoveryCode(code);
  if (recovery === null) return false;
  const digest = matchingDigest(box, user_id, recovery, await selectRecoveryCodes(db, user_id));
  return digest !== null && deleteRecoveryCode(db, user_id, digest);
}

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

/** Makes new recovery codes; the older ones are worth nothing from then on. */
export async function renewRecoveryCodes({ db, box, ids }: FactorDeps, user_id: string): Promise<string[]> {
  const codes = newRecoveryCodes(ids);
  const digests = codes.map((fresh) => recoveryDigest(box, user_id, fresh));
  await db.transaction((tx) => replaceRecoveryCodes(tx, user_id, digests));
  return codes;
}

/** Takes an authenticator app away; with the last factor the recovery codes go as well. */
export async function removeApp({ db }: Pick<FactorDeps, 'db'>, user_id: string): Promise<void> {
  await db.transaction(async (tx) => {
    await deleteTotp(tx, user_id);
    if ((await selectPasskeysOf(tx, user_id)).length === 0) await replaceRecoveryCodes(tx, user_id, []);
  });
}
