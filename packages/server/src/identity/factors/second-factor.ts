import { later, minutes } from '../../base/time/clock.ts';
import { advanceTotp, selectTotp } from './totp.sql.ts';
import { deleteRecoveryCode, selectRecoveryCodes } from './recovery-code.sql.ts';
import { insertOneTime } from '../one-time-tokens/index.ts';
import { matchingDigest, readRecoveryCode } from './recovery-code.ts';
import { stepOfCode } from './totp.ts';
import type { FactorDeps } from './factors.ts';

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
