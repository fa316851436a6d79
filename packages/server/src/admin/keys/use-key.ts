/** Finds the named key that a request sent, and notes its use. */
import type { Database } from '../../base/pg/index.ts';
import type { Logger } from '../../base/log.ts';
import { tokenHash } from '../../base/secret-box.ts';
import { type Clock, later, minutes } from '../../base/time/clock.ts';
import { type AdminKey, isUsable } from './admin-key.ts';
import { markUsed, selectAdminKeyByHash } from './admin-key.sql.ts';

interface KeyDeps {
  db: Database;
  clock: Clock;
  log: Logger;
}

/** The form of a named key: a prefix by which secret scanners find it, and 256 random bits. */
const form = /^pdk_[\w-]{43}$/;

/** A new key as its holder gets it. */
export const newKeyText = (random: string): string => `pdk_${random}`;

/**
 * The valid key of this text; null if it is unknown, revoked or expired, or does not come from an allowed address. The
 * key is read from the database each time, so a revocation counts at once in every process.
 *
 * @param address the caller's full address
 */
export async function useKey(deps: KeyDeps, text: string, address: string): Promise<AdminKey | null> {
  if (!form.test(text)) return null;
  const key = await selectAdminKeyByHash(deps.db.lookups, tokenHash(text));
  if (key === null) return null;
  const now = deps.clock.real();
  if (!isUsable(key, address, now)) {
    deps.log.warn(
      { key_id: key.key_id, address },
      'an administration key was refused: it is revoked or expired, or its address is not allowed',
    );
    return null;
  }
  await noteUse(deps, key, now);
  return key;
}

/** Stores the last use at most once a minute. A call does not fail if this fails. */
async function noteUse({ db, log }: KeyDeps, { key_id, last_used_at }: AdminKey, now: Date): Promise<void> {
  const before = later(now, -minutes(1));
  if (last_used_at !== null && last_used_at > before) return;
  try {
    await db.transaction((tx) => markUsed(tx, key_id, now, before));
  } catch (error) {
    log.warn({ err: error, key_id }, 'the use of an administration key could not be noted');
  }
}
