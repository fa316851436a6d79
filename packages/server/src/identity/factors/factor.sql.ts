import { type Queryable, type Row, sql } from '../../base/pg/index.ts';

/** An authenticator app; it counts once it is confirmed. */
export interface TotpRow {
  user_id: string;
  secret_box: Buffer;
  confirmed_at: Date | null;
  last_step: bigint;
}

export async function selectTotp(db: Queryable, user_id: string): Promise<TotpRow | null> {
  const [row] = await db.query<TotpRow & Row>(
    sql`SELECT user_id, secret_box, confirmed_at, last_step FROM totp_factors WHERE user_id = ${user_id}`,
  );
  return row ?? null;
}

/** Begins anew with another secret, unless an app is confirmed already: false then. */
export async function insertTotp(db: Queryable, user_id: string, secret_box: Buffer): Promise<boolean> {
  const rows = await db.query(
    sql`INSERT INTO totp_factors (user_id, secret_box, confirmed_at, last_step)
      VALUES (${user_id}, ${secret_box}, NULL, 0)
      ON CONFLICT (user_id) DO UPDATE SET secret_box = excluded.secret_box, last_step = 0
        WHERE totp_factors.confirmed_at IS NULL
      RETURNING 1 AS done`,
  );
  return rows.length === 1;
}

/** Notes the step of a code that was right: false where that step, or a later one, was used before. */
export async function advanceTotp(db: Queryable, user_id: string, step: bigint): Promise<boolean> {
  const rows = await db.query(
    sql`UPDATE totp_factors SET last_step = ${step} WHERE user_id = ${user_id} AND last_step < ${step}
      RETURNING 1 AS done`,
  );
  return rows.length === 1;
}

/** Lets an app count: false where one counts already. */
export async function confirmTotp(db: Queryable, user_id: string, at: Date): Promise<boolean> {
  const rows = await db.query(
    sql`UPDATE totp_factors SET confirmed_at = ${at} WHERE user_id = ${user_id} AND confirmed_at IS NULL
      RETURNING 1 AS done`,
  );
  return rows.length === 1;
}

export async function deleteTotp(db: Queryable, user_id: string): Promise<void> {
  await db.query(sql`DELETE FROM totp_factors WHERE user_id = ${user_id}`);
}

export async function selectRecoveryCodes(db: Queryable, user_id: string): Promise<Buffer[]> {
  const rows = await db.query<{ code_digest: Buffer }>(
    sql`SELECT code_digest FROM recovery_codes WHERE user_id = ${user_id}`,
  );
  return rows.map(({ code_digest }) => code_digest);
}

/** Puts new codes in the place of all that were there. */
export async function replaceRecoveryCodes(db: Queryable, user_id: string, digests: Buffer[]): Promise<void> {
  await db.query(sql`DELETE FROM recovery_codes WHERE user_id = ${user_id}`);
  if (digests.length === 0) return;
  await db.query(
    sql`INSERT INTO recovery_codes (user_id, code_digest) SELECT ${user_id}, unnest(${digests}::bytea[])`,
  );
}

/** Uses a code: false where somebody else just did. */
export async function deleteRecoveryCode(db: Queryable, user_id: string, digest: Buffer): Promise<boolean> {
  const rows = await db.query(
    sql`DELETE FROM recovery_codes WHERE user_id = ${user_id} AND code_digest = ${digest} RETURNING 1 AS done`,
  );
  return rows.length === 1;
}

export interface Passkey {
  credential_id: string;
  user_id: string;
  public_key: Buffer;
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
 * Notes the counter of a use: false where it did not grow, which a copy of the passkey would show. Many never count
 * and stay at zero.
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

export async function deletePasskey(db: Queryable, user_id: string, credential_id: string): Promise<void> {
  await db.query(sql`DELETE FROM passkeys WHERE user_id = ${user_id} AND credential_id = ${credential_id}`);
}
