/** Reads and writes authenticator apps (table `totp_factors`), at most one for each person. */
import { type Queryable, type Row, sql } from '../../base/pg/index.ts';

export interface TotpRow {
  user_id: string;
  /** Until the app is confirmed: the secret and the id of the session that sets it up. */
  secret_box: Buffer;
  /** Null until the app has shown a right code. */
  confirmed_at: Date | null;
  /** The step of the last code that was used. */
  last_step: bigint;
}

export async function selectTotp(db: Queryable, user_id: string): Promise<TotpRow | null> {
  const [row] = await db.query<TotpRow & Row>(
    sql`SELECT user_id, secret_box, confirmed_at, last_step FROM totp_factors WHERE user_id = ${user_id}`,
  );
  return row ?? null;
}

/** Stores a new secret that is not confirmed; false where an app is confirmed already. */
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

/** Stores the step of a used code; false where this step or a later one was used before. */
export async function advanceTotp(db: Queryable, user_id: string, step: bigint): Promise<boolean> {
  const rows = await db.query(
    sql`UPDATE totp_factors SET last_step = ${step} WHERE user_id = ${user_id} AND last_step < ${step}
      RETURNING 1 AS done`,
  );
  return rows.length === 1;
}

/** Stores the secret of an app that is confirmed now; false where one is confirmed already. */
export async function confirmTotp(
  db: Queryable,
  user_id: string,
  secret_box: Buffer,
  at: Date,
): Promise<boolean> {
  const rows = await db.query(
    sql`UPDATE totp_factors SET secret_box = ${secret_box}, confirmed_at = ${at} WHERE user_id = ${user_id} AND confirmed_at IS NULL
      RETURNING 1 AS done`,
  );
  return rows.length === 1;
}

/** Returns whether the person had an app, confirmed or not. */
export async function deleteTotp(db: Queryable, user_id: string): Promise<boolean> {
  const gone = await db.query(sql`DELETE FROM totp_factors WHERE user_id = ${user_id} RETURNING 1 AS gone`);
  return gone.length === 1;
}
