/** The SQL statements of the tables `key_ring` and `inner_keys`. */
import { type Queryable, sql, type Tx } from '../pg/index.ts';

/** The one row of the ring. */
export interface RingRow {
  /** Null before the first start. */
  canary_box: Buffer | null;
  has_older: boolean;
}

/** An inner key as stored. */
export interface InnerKeyRow {
  key_id: string;
  purpose: string;
  key_box: Buffer;
}

export async function selectRing(db: Queryable): Promise<RingRow | null> {
  const [row] = await db.query<RingRow & Record<string, unknown>>(
    sql`SELECT canary_box, has_older FROM key_ring`,
  );
  return row ?? null;
}

/** Locks the ring, so that one process makes its keys. */
export async function lockRing(tx: Tx): Promise<RingRow | null> {
  const [row] = await tx.query<RingRow & Record<string, unknown>>(
    sql`SELECT canary_box, has_older FROM key_ring FOR UPDATE`,
  );
  return row ?? null;
}

/** The inner keys, the newest first. */
export function selectInnerKeys(db: Queryable): Promise<InnerKeyRow[]> {
  return db.query<InnerKeyRow & Record<string, unknown>>(
    sql`SELECT key_id, purpose, key_box FROM inner_keys ORDER BY created_at DESC, key_id, purpose`,
  );
}

export async function insertInnerKeys(tx: Tx, keys: readonly InnerKeyRow[], now: Date): Promise<void> {
  await tx.query(sql`INSERT INTO inner_keys (key_id, purpose, key_box, created_at)
    SELECT k.key_id, k.purpose, k.key_box, ${now}::timestamptz
    FROM unnest(${keys.map(({ key_id }) => key_id)}::text[], ${keys.map(({ purpose }) => purpose)}::text[],
      ${keys.map(({ key_box }) => key_box)}::bytea[]) AS k (key_id, purpose, key_box)`);
}

export async function updateCanary(tx: Tx, canary_box: Buffer): Promise<void> {
  await tx.query(sql`UPDATE key_ring SET canary_box = ${canary_box}`);
}
