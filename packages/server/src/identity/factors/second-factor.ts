/**
 * The step between a right password and a session: a code of an authenticator app, or a recovery code. Invariant: a
 * code works once.
 */
import { sealed } from '../../base/sealed-columns.ts';
import type { Queryable } from '../../base/pg/index.ts';
import { later, minutes } from '../../base/time/clock.ts';
import { insertOneTimeToken, selectOneTimeToken } from '../one-time-tokens/index.ts';
import type { FactorDeps } from './factors.ts';
import { deleteRecoveryCode, selectRecoveryCodes } from './recovery-code.sql.ts';
import { matchingDigest, readRecoveryCode } from './recovery-code.ts';
import { advanceTotp, selectTotp } from './totp.sql.ts';
import { stepOfCode } from './totp.ts';

/** How long a person may take between the password and the second factor; real time. */
const pendingLife_ms = minutes(10);

/** Stores that the password was right. The returned token proves that, and grants nothing by itself. */
export async function startSecondFactor(
  { db, clock, ids }: Pick<FactorDeps, 'clock' | 'ids'> & { db: Queryable },
  user_id: string,
): Promise<string> {
  const token = ids.secret(32);
  const expires_at = later(clock.real(), pendingLife_ms);
  await insertOneTimeToken(db, token, { purpose: 'second_factor', user_id, detail: {}, expires_at });
  return token;
}

/** The person whose password was right; null where the token is missing, unknown or expired. */
export async function pendingSecondFactor(
  { db, clock }: Pick<FactorDeps, 'db' | 'clock'>,
  token: string | null,
): Promise<string | null> {
  if (token === null) return null;
  return (await selectOneTimeToken(db, token, 'second_factor', clock.real()))?.user_id ?? null;
}

/** What a typed code is meant to be. Wrong codes of each kind are counted by themselves. */
export const secondFactorKind = (text: string): 'second_factor' | 'recovery_code' =>
  readRecoveryCode(text.trim()) === null ? 'second_factor' : 'recovery_code';

/**
 * Uses a code: one of the person's authenticator app, or a recovery code.
 *
 * @returns false where the code is wrong or was used before
 */
export async function useCode(deps: FactorDeps, user_id: string, text: string): Promise<boolean> {
  const { db, clock, box } = deps;
  const code = text.trim();
  const totp = await selectTotp(db, user_id);
  if (totp !== null && totp.confirmed_at !== null) {
    const secret = box.open(totp.secret_box, sealed.totpSecret.row({ user_id }));
    const step = stepOfCode(secret, code, clock.real());
    if (step !== null) return advanceTotp(db, user_id, step);
  }
  const recovery = readRecoveryCode(code);
  if (recovery === null) return false;
  const digest = matchingDigest(box, user_id, recovery, await selectRecoveryCodes(db, user_id));
  return digest !== null && deleteRecoveryCode(db, user_id, digest);
}
