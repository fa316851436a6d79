/**
 * The keys that sign ID tokens. Invariants: one key signs at a time. After 90 days, one process replaces it. A replaced key
 * stays published for 7 days, which is longer than any token that it signed is valid.
 */
import { InvariantError } from '../../base/errors.ts';
import type { Database, Tx } from '../../base/pg/index.ts';
import { sealed } from '../../base/sealed-columns.ts';
import type { SecretBox } from '../../base/secret-box.ts';
import { type Clock, days, later, seconds } from '../../base/time/clock.ts';
import { newSigningKey, type PrivateJwk, type PublicJwk, publicPart } from './new-signing-key.ts';
import { olderPublicKeys } from './older-signing-key.ts';
import {
  deleteRetiredKeys,
  insertRetiredKey,
  insertSigningKey,
  lockSigningRow,
  retireSigningKey,
  selectPublicKeys,
  selectSigningRow,
  type SigningRow,
} from './signing-key.sql.ts';

export interface SigningKeys {
  /** The key that signs now. It is made or replaced where that is due. */
  current(): Promise<PrivateJwk>;
  /** The document at `jwks_uri`. Never cached: another process may have replaced the key just now. */
  published(): Promise<{ keys: PublicJwk[] }>;
}

const signs_ms = days(90);
const staysPublished_ms = days(7);
/** How long a process signs with a key that another process may have replaced; real time. */
const trust_ms = seconds(5);

export function createSigningKeys(deps: { db: Database; clock: Clock; box: SecretBox }): SigningKeys {
  const { db, clock, box } = deps;
  let known: { row: SigningRow; key: PrivateJwk; read_at: Date } | null = null;

  const isDue = ({ created_at }: SigningRow): boolean => clock.now() >= later(created_at, signs_ms);

  async function readCurrent(): Promise<PrivateJwk> {
    let row = await selectSigningRow(db.lookups);
    if (row === null || isDue(row)) {
      await db.transaction((tx) => replaceIfDue(tx, deps, isDue));
      row = await selectSigningRow(db.lookups);
    }
    if (row === null) throw new InvariantError('there is no key that signs');
    const text = box.open(row.private_jwk_box, sealed.oauthSigningKey.row(row));
    const key = known?.key.kid === row.kid ? known.key : (JSON.parse(text) as PrivateJwk);
    known = { row, key, read_at: clock.real() };
    return key;
  }

  return {
    async current() {
      if (known !== null && !isDue(known.row) && clock.real() < later(known.read_at, trust_ms))
        return known.key;
      return readCurrent();
    },
    async published() {
      await readCurrent();
      return { keys: await selectPublicKeys(db.lookups, later(clock.now(), -staysPublished_ms)) };
    },
  };
}

/** Replaces the key under its lock, so that one process does. The first process makes the first key. */
async function replaceIfDue(
  tx: Tx,
  { clock, box }: { clock: Clock; box: SecretBox },
  isDue: (row: SigningRow) => boolean,
): Promise<void> {
  const before = await lockSigningRow(tx);
  if (before !== null && !isDue(before)) return;
  const now = clock.now();
  if (before !== null) await retireSigningKey(tx, before.kid, now);
  else for (const older of olderPublicKeys(box)) await insertRetiredKey(tx, older, now);
  await deleteRetiredKeys(tx, later(now, -staysPublished_ms));
  const key = newSigningKey();
  const private_jwk_box = box.seal(JSON.stringify(key), sealed.oauthSigningKey.row(key));
  await insertSigningKey(tx, { public_jwk: publicPart(key), private_jwk_box }, now);
}
