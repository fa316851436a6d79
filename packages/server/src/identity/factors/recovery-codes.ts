import { replaceRecoveryCodes } from './recovery-code.sql.ts';
import { newRecoveryCodes, recoveryDigest } from './recovery-code.ts';
import type { FactorDeps } from './factors.ts';

/** Makes new recovery codes; the older ones are worth nothing from then on. */
export async function renewRecoveryCodes({ db, box, ids }: FactorDeps, user_id: string): Promise<string[]> {
  const codes = newRecoveryCodes(ids);
  const digests = codes.map((fresh) => recoveryDigest(box, user_id, fresh));
  await db.transaction((tx) => replaceRecoveryCodes(tx, user_id, digests));
  return codes;
}
