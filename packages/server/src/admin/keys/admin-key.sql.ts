/** Statements on named administration keys (table `admin_keys`). */
import { type Queryable, type Row, sql, type Tx } from '../../base/pg/index.ts';
import type { AdminKey } from './admin-key.ts';

const columns = sql`key_id, name, role, allowed_cidrs, owner, created_by, created_at, expires_at, last_used_at,
  revoked_at, revoked_by, revoke_reason`;

export async function insertAdminKey(tx: Tx, key_hash: Buffer, k: AdminKey): Promise<void> {
  await tx.query(
    sql`INSERT INTO admin_keys (key_hash, ${columns}) VALUES (${key_hash}, ${k.key_id}, ${k.name}, ${k.role},
      ${k.allowed_cidrs}, ${k.owner}, ${k.created_by}, ${k.created_at}, ${k.expires_at}, ${k.last_used_at},
      ${k.revoked_at}, ${k.revoked_by}, ${k.revoke_reason})`,
  );
}

export async function selectAdminKeyByHash(db: Queryable, key_hash: Buffer): Promise<AdminKey | null> {
  const [row] = await db.query<AdminKey & Row>(
    sql`SELECT ${columns} FROM admin_keys WHERE key_hash = ${key_hash}`,
  );
  return row ?? null;
}

export async function selectAdminKey(db: Queryable, key_id: string): Promise<AdminKey | null> {
  const [row] = await db.query<AdminKey & Row>(
    sql`SELECT ${columns} FROM admin_keys WHERE key_id = ${key_id}`,
  );
  return row ?? null;
}

export async function selectAdminKeyForUpdate(tx: Tx, key_id: string): Promise<AdminKey | null> {
  const [row] = await tx.query<AdminKey & Row>(
    sql`SELECT ${columns} FROM admin_keys WHERE key_id = ${key_id} FOR UPDATE`,
  );
  return row ?? null;
}

/** Locks keys in the order of their ids, so that no two revocations wait for each other. */
export async function lockAdminKeys(tx: Tx, key_ids: readonly string[]): Promise<void> {
  await tx.query(
    sql`SELECT 1 AS locked FROM admin_keys WHERE key_id = ANY(${[...key_ids]}) ORDER BY key_id FOR UPDATE`,
  );
}

/** Locks the keys that were made with a key, or with one of those, and so on, and that are not revoked. */
export function selectDescendantsForUpdate(tx: Tx, key_id: string): Promise<AdminKey[]> {
  return tx.query<AdminKey & Row>(
    sql`WITH RECURSIVE family AS (
        SELECT key_id FROM admin_keys WHERE created_by = 'key:' || ${key_id}
        UNION SELECT child.key_id FROM admin_keys child JOIN family ON child.created_by = 'key:' || family.key_id)
      SELECT ${columns} FROM admin_keys WHERE key_id IN (SELECT key_id FROM family) AND revoked_at IS NULL
      ORDER BY key_id FOR UPDATE`,
  );
}

/** One page of keys before a cursor, newest first: their ids sort by time. */
export function selectAdminKeys(db: Queryable, before: string | null, limit: number): Promise<AdminKey[]> {
  const older = before === null ? sql`` : sql`AND key_id < ${before}`;
  return db.query<AdminKey & Row>(
    sql`SELECT ${columns} FROM admin_keys WHERE true ${older} ORDER BY key_id DESC LIMIT ${limit}`,
  );
}

export async function markRevoked(tx: Tx, k: AdminKey): Promise<void> {
  await tx.query(
    sql`UPDATE admin_keys SET revoked_at = ${k.revoked_at}, revoked_by = ${k.revoked_by},
      revoke_reason = ${k.revoke_reason} WHERE key_id = ${k.key_id}`,
  );
}

/** Stores that a key was used, unless another process has stored it since `before`. */
export async function markUsed(tx: Tx, key_id: string, now: Date, before: Date): Promise<void> {
  await tx.query(
    sql`UPDATE admin_keys SET last_used_at = ${now}
      WHERE key_id = ${key_id} AND (last_used_at IS NULL OR last_used_at <= ${before})`,
  );
}
