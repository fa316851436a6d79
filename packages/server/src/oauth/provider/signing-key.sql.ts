/** The SQL statements of the table `oauth_signing_keys`. */
import { type Queryable, sql, type Tx } from '../../base/pg/index.ts';
import type { PublicJwk } from './new-signing-key.ts';

/** The key that signs, as stored. */
export interface SigningRow {
  kid: string;
  private_jwk_box: Buffer;
  created_at: Date;
}

export async function selectSigningRow(db: Queryable): Promise<SigningRow | null> {
  const [row] = await db.query<SigningRow & Record<string, unknown>>(
    sql`SELECT kid, private_jwk_box, created_at FROM oauth_signing_keys WHERE retired_at IS NULL`,
  );
  return row ?? null;
}

/** As `selectSigningRow`, and locks the row. */
export async function lockSigningRow(tx: Tx): Promise<SigningRow | null> {
  const [row] = await tx.query<SigningRow & Record<string, unknown>>(
    sql`SELECT kid, private_jwk_box, created_at FROM oauth_signing_keys WHERE retired_at IS NULL FOR UPDATE`,
  );
  return row ?? null;
}

/** The public keys that sign or were retired after this time, the newest first. */
export async function selectPublicKeys(db: Queryable, retired_after: Date): Promise<PublicJwk[]> {
  const rows = await db.query<{ public_jwk: PublicJwk }>(
    sql`SELECT public_jwk FROM oauth_signing_keys WHERE retired_at IS NULL OR retired_at > ${retired_after}
      ORDER BY retired_at IS NULL DESC, created_at DESC, kid`,
  );
  return rows.map(({ public_jwk }) => public_jwk);
}

/** Stores a key that signs from now on. Has no effect where another process has stored one. */
export async function insertSigningKey(
  tx: Tx,
  key: { public_jwk: PublicJwk; private_jwk_box: Buffer },
  now: Date,
): Promise<void> {
  await tx.query(sql`INSERT INTO oauth_signing_keys (kid, public_jwk, private_jwk_box, created_at)
    VALUES (${key.public_jwk.kid}, ${JSON.stringify(key.public_jwk)}::jsonb, ${key.private_jwk_box}, ${now})
    ON CONFLICT DO NOTHING`);
}

/** Stores the public half of a key that signed before. */
export async function insertRetiredKey(tx: Tx, public_jwk: PublicJwk, now: Date): Promise<void> {
  await tx.query(sql`INSERT INTO oauth_signing_keys (kid, public_jwk, created_at, retired_at)
    VALUES (${public_jwk.kid}, ${JSON.stringify(public_jwk)}::jsonb, ${now}, ${now}) ON CONFLICT DO NOTHING`);
}

/** Stops a key from signing: erases its private half. */
export async function retireSigningKey(tx: Tx, kid: string, now: Date): Promise<void> {
  await tx.query(
    sql`UPDATE oauth_signing_keys SET private_jwk_box = NULL, retired_at = ${now} WHERE kid = ${kid}`,
  );
}

export async function deleteRetiredKeys(tx: Tx, retired_before: Date): Promise<void> {
  await tx.query(sql`DELETE FROM oauth_signing_keys WHERE retired_at <= ${retired_before}`);
}
