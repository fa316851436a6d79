/** Reads and writes the digests of recovery codes (table `recovery_codes`). */
import { type Queryable, sql } from '../../base/pg/index.ts';

export async function selectRecoveryCodes(db: Queryable, user_id: string): Promise<Buffer[]> {
  const rows = await db.query<{ code_digest: Buffer }>(
    sql`SELECT code_digest FROM recovery_codes WHERE user_id = ${user_id}`,
  );
  return rows.map(({ code_digest }) => code_digest);
}

/** Replaces all codes of a person. */
export async function replaceRecoveryCodes(db: Queryable, user_id: string, digests: Buffer[]): Promise<void> {
  await db.query(sql`DELETE FROM recovery_codes WHERE user_id = ${user_id}`);
  if (digests.length === 0) return;
  await db.query(
    sql`INSERT INTO recovery_codes (user_id, code_digest) SELECT ${user_id}, unnest(${digests}::bytea[])`,
  );
}

/** Uses a code; false where it was used before. */
export async function deleteRecoveryCode(db: Queryable, user_id: string, digest: Buffer): Promise<boolean> {
  const rows = await db.query(
    sql`DELETE FROM recovery_codes WHERE user_id = ${user_id} AND code_digest = ${digest} RETURNING 1 AS done`,
  );
  return rows.length === 1;
}
