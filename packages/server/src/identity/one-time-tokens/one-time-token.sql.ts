import { type Queryable, type Row, sql } from '../../base/pg/index.ts';
import { tokenHash } from '../../base/secret-box.ts';

/** What a short-lived token is good for. */
export type Purpose = 'second_factor' | 'password_reset' | 'passkey_new' | 'passkey_use';

export interface OneTime {
  purpose: Purpose;
  /** Null where it is not known yet whose it is. */
  user_id: string | null;
  detail: Record<string, unknown>;
  expires_at: Date;
}

export async function insertOneTime(db: Queryable, token: string, t: OneTime): Promise<void> {
  await db.query(
    sql`INSERT INTO one_time_tokens (token_hash, purpose, user_id, detail, expires_at)
      VALUES (${tokenHash(token)}, ${t.purpose}, ${t.user_id}, ${JSON.stringify(t.detail)}, ${t.expires_at})`,
  );
}

type Found = Pick<OneTime, 'user_id' | 'detail'>;

/** Looks at a token without using it; null where it is unknown or over. */
export async function selectOneTime(
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

/** Uses a token: of several at once one gets it. */
export async function takeOneTime(
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

/** Forgets a person's tokens of one purpose: a newer one counts alone. */
export async function deleteOneTimeOf(db: Queryable, user_id: string, purpose: Purpose): Promise<void> {
  await db.query(sql`DELETE FROM one_time_tokens WHERE user_id = ${user_id} AND purpose = ${purpose}`);
}

/** Removes a batch of what has expired before `at`; says how many rows that were. */
export async function deleteExpiredOneTime(db: Queryable, at: Date, limit: number): Promise<number> {
  const gone = await db.query(
    sql`DELETE FROM one_time_tokens WHERE token_hash IN (
      SELECT token_hash FROM one_time_tokens WHERE expires_at < ${at} ORDER BY expires_at LIMIT ${limit}
    ) RETURNING 1 AS gone`,
  );
  return gone.length;
}
