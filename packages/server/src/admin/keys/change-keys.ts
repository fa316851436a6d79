/** Creates and revokes named administration keys. */
import type { PlatformRole } from '@paydesk/contract';
import { AppError, invalid } from '../../base/errors.ts';
import type { IdSource } from '../../base/ids.ts';
import { checkRanges } from '../../base/input/caller-ranges.ts';
import type { Queryable, Tx } from '../../base/pg/index.ts';
import { tokenHash } from '../../base/secret-box.ts';
import type { AdminKey } from './admin-key.ts';
import {
  insertAdminKey,
  lockAdminKeys,
  markRevoked,
  selectAdminKey,
  selectAdminKeyForUpdate,
  selectDescendantsForUpdate,
} from './admin-key.sql.ts';
import { demandAdministrator } from './lock-sender.ts';
import { newKeyText } from './use-key.ts';

/** 256 random bits: enough to store only a hash. */
const secretBytes = 32;

/** What an administrator says about a new key. */
export interface NewKey {
  name: string;
  role: PlatformRole;
  expires_at: Date;
  allowed_cidrs: readonly string[];
}

/**
 * Creates a key. Only this call returns its text.
 *
 * @param now real time
 * @throws AppError `invalid_request` on `name`, `expires_at` or `allowed_cidrs`; as `demandAdministrator`
 */
export async function createKey(
  tx: Tx,
  ids: IdSource,
  { name, role, expires_at, allowed_cidrs }: NewKey,
  created_by: string,
  now: Date,
): Promise<{ created: AdminKey; text: string }> {
  if (name.trim() === '') throw invalid('name', 'A key needs a name.');
  if (expires_at <= now) throw invalid('expires_at', 'A key must end in the future.');
  await demandAdministrator(tx, created_by);
  const text = newKeyText(ids.secret(secretBytes));
  const created: AdminKey = {
    key_id: `ak_${ids.ulid(now)}`,
    name: name.trim(),
    role,
    allowed_cidrs: checkRanges('allowed_cidrs', allowed_cidrs),
    owner: await ownerOf(tx, created_by),
    created_by,
    created_at: now,
    expires_at,
    last_used_at: null,
    revoked_at: null,
    revoked_by: null,
    revoke_reason: null,
  };
  await insertAdminKey(tx, tokenHash(text), created);
  return { created, text };
}

/** The person or the environment's key behind an actor: for a named key its owner, otherwise the actor. */
export async function ownerOf(db: Queryable, actor: string): Promise<string> {
  if (!actor.startsWith('key:')) return actor;
  return (await selectAdminKey(db, actor.slice('key:'.length)))?.owner ?? actor;
}

/** A key before and after its revocation. */
export interface Revoked {
  before: AdminKey;
  after: AdminKey;
}

/**
 * Revokes a key at once, in every process, and the keys that were made with it: a thief of the key may have made others.
 * A key that was revoked before stays as it is.
 *
 * @param children whether the keys that were made with it, or with those, are revoked too
 * @param now real time
 * @returns the keys that this call has revoked; the first is the named key, which may have been revoked before
 * @throws AppError `not_found`; as `demandAdministrator`
 */
export async function revokeKey(
  tx: Tx,
  key_id: string,
  { actor, reason, children }: { actor: string; reason: string; children: boolean },
  now: Date,
): Promise<[Revoked, ...Revoked[]]> {
  const end = async (before: AdminKey, why: string): Promise<Revoked> => {
    if (before.revoked_at !== null) return { before, after: before };
    const after: AdminKey = { ...before, revoked_at: now, revoked_by: actor, revoke_reason: why };
    await markRevoked(tx, after);
    return { before, after };
  };
  if (actor.startsWith('key:')) await lockAdminKeys(tx, [actor.slice('key:'.length), key_id]);
  await demandAdministrator(tx, actor);
  const key = await selectAdminKeyForUpdate(tx, key_id);
  if (key === null) throw new AppError('not_found');
  const revoked: [Revoked, ...Revoked[]] = [await end(key, reason)];
  if (!children) return revoked;
  // A key that makes another one is locked meanwhile, so each round sees what was made before its keys were revoked.
  for (;;) {
    const found = await selectDescendantsForUpdate(tx, key_id);
    if (found.length === 0) return revoked;
    for (const child of found) revoked.push(await end(child, `${reason} (made with ${key_id})`));
  }
}
