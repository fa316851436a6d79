/** Reads and writes sessions (table `sessions`). */
import { type Queryable, type Row, sql } from '../../base/pg/index.ts';
import type { SessionUser } from '../people/index.ts';

export interface SessionRow {
  /** SHA-256 of the token, which is not stored. */
  token_hash: Buffer;
  user_id: string;
  /** The `User-Agent` of the browser. */
  agent: string;
  created_at: Date;
  /** Real time. */
  expires_at: Date;
}

/** A session with its person; null where it is unknown or expired. */
export async function selectSession(
  db: Queryable,
  token_hash: Buffer,
  now: Date,
): Promise<(SessionUser & Pick<SessionRow, 'created_at' | 'expires_at'>) | null> {
  const [row] = await db.query<SessionUser & Pick<SessionRow, 'created_at' | 'expires_at'> & Row>(
    sql`SELECT u.user_id, u.name, u.email, u.role, s.created_at, s.expires_at
      FROM sessions s JOIN users u ON u.user_id = s.user_id
      WHERE s.token_hash = ${token_hash} AND s.expires_at > ${now}`,
  );
  return row ?? null;
}

export async function insertSession(db: Queryable, s: SessionRow): Promise<void> {
  await db.query(
    sql`INSERT INTO sessions (token_hash, user_id, agent, created_at, expires_at)
      VALUES (${s.token_hash}, ${s.user_id}, ${s.agent}, ${s.created_at}, ${s.expires_at})`,
  );
}

export async function extendSession(db: Queryable, token_hash: Buffer, expires_at: Date): Promise<void> {
  await db.query(
    sql`UPDATE sessions SET expires_at = ${expires_at}
      WHERE token_hash = ${token_hash} AND expires_at < ${expires_at}`,
  );
}

export async function deleteSession(db: Queryable, token_hash: Buffer): Promise<void> {
  await db.query(sql`DELETE FROM sessions WHERE token_hash = ${token_hash}`);
}

/** The sessions of a person that have not expired, newest first; at most 100. */
export function selectSessionsOf(db: Queryable, user_id: string, now: Date): Promise<SessionRow[]> {
  return db.query<SessionRow & Row>(
    sql`SELECT token_hash, user_id, agent, created_at, expires_at FROM sessions
      WHERE user_id = ${user_id} AND expires_at > ${now} ORDER BY created_at DESC, token_hash LIMIT 100`,
  );
}

/** Deletes all sessions of a person except `keep`. */
export async function deleteSessionsOf(db: Queryable, user_id: string, keep: Buffer | null): Promise<void> {
  await db.query(
    sql`DELETE FROM sessions WHERE user_id = ${user_id} AND token_hash IS DISTINCT FROM ${keep}::bytea`,
  );
}

/** Deletes a batch of sessions that expired before `at`; returns how many. */
export async function deleteExpiredSessions(db: Queryable, at: Date, limit: number): Promise<number> {
  const gone = await db.query(
    sql`DELETE FROM sessions WHERE token_hash IN (
      SELECT token_hash FROM sessions WHERE expires_at < ${at} ORDER BY expires_at LIMIT ${limit}
    ) RETURNING 1 AS gone`,
  );
  return gone.length;
}
