/** Reads and writes passkeys (table `passkeys`). */
import { type Queryable, type Row, sql } from '../../base/pg/index.ts';

export interface Passkey {
  credential_id: string;
  user_id: string;
  public_key: Buffer;
  /** How often the passkey was used, by its own count; zero where it does not count. */
  counter: bigint;
  transports: string[];
  created_at: Date;
}

const passkeyColumns = sql`credential_id, user_id, public_key, counter, transports, created_at`;

export function selectPasskeysOf(db: Queryable, user_id: string): Promise<Passkey[]> {
  return db.query<Passkey & Row>(
    sql`SELECT ${passkeyColumns} FROM passkeys WHERE user_id = ${user_id} ORDER BY created_at, credential_id`,
  );
}

export async function selectPasskey(db: Queryable, credential_id: string): Promise<Passkey | null> {
  const [row] = await db.query<Passkey & Row>(
    sql`SELECT ${passkeyColumns} FROM passkeys WHERE credential_id = ${credential_id}`,
  );
  return row ?? null;
}

export async function insertPasskey(db: Queryable, p: Passkey): Promise<void> {
  await db.query(
    sql`INSERT INTO passkeys (${passkeyColumns}) VALUES (${p.credential_id}, ${p.user_id}, ${p.public_key},
      ${p.counter}, ${p.transports}, ${p.created_at})`,
  );
}

/**
 * Stores the counter of a use; false where it did not grow, which may mean that the passkey was copied. Many
 * authenticators do not count: their counter stays at zero.
 */
export async function advancePasskey(
  db: Queryable,
  credential_id: string,
  counter: bigint,
): Promise<boolean> {
  const rows = await db.query(
    sql`UPDATE passkeys SET counter = ${counter} WHERE credential_id = ${credential_id}
      AND (counter < ${counter} OR (counter = 0 AND ${counter} = 0)) RETURNING 1 AS done`,
  );
  return rows.length === 1;
}

/** Deletes all passkeys of a person; returns how many. */
export async function deletePasskeysOf(db: Queryable, user_id: string): Promise<number> {
  const gone = await db.query(sql`DELETE FROM passkeys WHERE user_id = ${user_id} RETURNING 1 AS gone`);
  return gone.length;
}

export async function deletePasskey(db: Queryable, user_id: string, credential_id: string): Promise<void> {
  await db.query(sql`DELETE FROM passkeys WHERE user_id = ${user_id} AND credential_id = ${credential_id}`);
}
