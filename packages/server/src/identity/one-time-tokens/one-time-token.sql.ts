/**
 * One-time tokens: short-lived secrets, each for one purpose. Invariant: only the SHA-256 of a token is stored
 * and a token works once, because taking it deletes its row.
 */
import { type Queryable, type Row, sql } from '../../base/pg/index.ts';
import { tokenHash } from '../../base/secret-box.ts';

/** What a token allows. */
export type Purpose = 'second_factor' | 'password_reset' | 'passkey_new' | 'passkey_use';

export interface OneTimeToken {
  purpose: Purpose;
  /** Null while the person is not known yet. */
  user_id: string | null;
  detail: Record<string, unknown>;
  /** Real time. */
  expires_at: Date;
}

export async function insertOneTimeToken(db: Queryable, token: string, t: OneTimeToken): Promise<void> {
  await db.query(
    sql`INSERT INTO one_time_tokens (token_hash, purpose, user_id, detail, expires_at)
      VALUES (${tokenHash(token)}, ${t.purpose}, ${t.user_id}, ${JSON.stringify(t.detail)}, ${t.expires_at})`,
  );
}

type Found = Pick<OneTimeToken, 'user_id' | 'detail'>;

/** Reads a token without using it; null where it is unknown or expired. */
export async function selectOneTimeToken(
  db: Queryable,
  token: string,
  purpose: Purpose,
  now: Date,
): Promise<Found | null> {
  const [row] = await db.query<Found & Row>(
    sql`SELECT user_id, detail FROM one_time_tokens
      WHERE token_hash = ${tokenHash(token)} AND purpose = ${purpose} AND expires_at > ${now}`,
  );
  return row ?? null;
}

/**
 * Uses a token. If several callers ask at once, only one gets it; null for the others, and where it is unknown or expired.
 */
export async function takeOneTimeToken(
  db: Queryable,
  token: string,
  purpose: Purpose,
  now: Date,
): Promise<Found | null> {
  const [row] = await db.query<Found & { expires_at: Date }>(
    sql`DELETE FROM one_time_tokens WHERE token_hash = ${tokenHash(token)} AND purpose = ${purpose}
      RETURNING user_id, detail, expires_at`,
  );
  return row === undefined || row.expires_at <= now ? null : { user_id: row.user_id, detail: row.detail };
}

/** Deletes a person's tokens of one purpose, so that only a newer one works. */
export async function deleteOneTimeTokensOf(db: Queryable, user_id: string, purpose: Purpose): Promise<void> {
  await db.query(sql`DELETE FROM one_time_tokens WHERE user_id = ${user_id} AND purpose = ${purpose}`);
}

/** Deletes a batch of tokens that expired before `at`; returns how many. */
export async function deleteExpiredOneTimeTokens(db: Queryable, at: Date, limit: number): Promise<number> {
  const gone = await db.query(
    sql`DELETE FROM one_time_tokens WHERE token_hash IN (
      SELECT token_hash FROM one_time_tokens WHERE expires_at < ${at} ORDER BY expires_at LIMIT ${limit}
    ) RETURNING 1 AS gone`,
  );
  return gone.length;
}
