/** Gives a person new recovery codes. Only their keyed digests are stored. */
import type { Tx } from '../../base/pg/index.ts';
import { recordShown } from '../people/index.ts';
import type { FactorDeps } from './factors.ts';
import { replaceRecoveryCodes } from './recovery-code.sql.ts';
import { newRecoveryCodes, recoveryDigest } from './recovery-code.ts';

/** Replaces all recovery codes of a person; returns the new ones, to be shown once. */
export async function issueRecoveryCodes(tx: Tx, deps: FactorDeps, user_id: string): Promise<string[]> {
  const { box, ids } = deps;
  const codes = newRecoveryCodes(ids);
  const digests = codes.map((code) => recoveryDigest(box, user_id, code));
  await replaceRecoveryCodes(tx, user_id, digests);
  await recordShown(tx, deps, user_id, 'recovery_codes');
  return codes;
}
