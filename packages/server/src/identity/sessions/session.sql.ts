/** Reads and writes sessions (table `sessions`). */
import { type Queryable, type Row, sql } from '../../base/pg/index.ts';
import type { SessionUser } from '../people/index.ts';

export interface SessionRow {
  /** SHA-256 of the token, which is not stored. */
  token_hash: Buffer;
  user_id: string;
  /** The `User-Agent` of the browser. */
  agent: string;
  /** The network address of the sign-in; null where an older release stored the session. */
  address: string | null;
  created_at: Date;
  /** Null where an older release stored the session. */
  last_used_at: Date | null;
  /** When the person last proved to be present; null means at `created_at`. */
  proved_at: Date | null;
  /** When the row may be deleted; real time. */
  expires_at: Date;
}

export type FoundSession = SessionUser &
  Pick<SessionRow, 'created_at' | 'last_used_at' | 'proved_at' | 'expires_at'>;

/** A session with its person; null where it is unknown or expired, or the person is disabled. */
export async function selectSession(
  db: Queryable,
  token_hash: Buffer,
  now: Date,
): Promise<FoundSession | null> {
  const [row] = await db.query<FoundSession & Row>(
    sql`SELECT u.user_id, u.name, u.email, u.role, s.created_at, s.last_used_at, s.proved_at, s.expires_at
      FROM sessions s JOIN users u ON u.user_id = s.user_id
      WHERE s.token_hash = ${token_hash} AND s.expires_at > ${now} AND u.disabled_at IS NULL`,
  );
  return row ?? null;
}

const columns = sql`token_hash, user_id, agent, address, created_at, last_used_at, proved_at, expires_at`;

export async function insertSession(db: Queryable, s: SessionRow): Promise<void> {
  await db.query(
    sql`INSERT INTO sessions (${columns}) VALUES (${s.token_hash}, ${s.user_id}, ${s.agent}, ${s.address},
      ${s.created_at}, ${s.last_used_at}, ${s.proved_at}, ${s.expires_at})`,
  );
}

/** Stores a use of a session. A later use that another process has stored stays. */
export async function updateSessionUse(
  db: Queryable,
  token_hash: Buffer,
  { last_used_at, expires_at }: { last_used_at: Date; expires_at: Date },
): Promise<void> {
  await db.query(
    sql`UPDATE sessions SET last_used_at = ${last_used_at}, expires_at = ${expires_at}
      WHERE token_hash = ${token_hash} AND (last_used_at IS NULL OR last_used_at < ${last_used_at})`,
  );
}

/** Stores a proof of presence. */
export async function updateSessionProof(db: Queryable, token_hash: Buffer, proved_at: Date): Promise<void> {
  await db.query(sql`UPDATE sessions SET proved_at = ${proved_at} WHERE token_hash = ${token_hash}`);
}

/** Returns whether there was one. */
export async function deleteSession(db: Queryable, token_hash: Buffer): Promise<boolean> {
  const gone = await db.query(sql`DELETE FROM sessions WHERE token_hash = ${token_hash} RETURNING 1 AS gone`);
  return gone.length === 1;
}

/** The sessions of a person that have not expired, newest first; at most 100. */
export function selectSessionsOf(db: Queryable, user_id: string, now: Date): Promise<SessionRow[]> {
  return db.query<SessionRow & Row>(
    sql`SELECT ${columns} FROM sessions
      WHERE user_id = ${user_id} AND expires_at > ${now} ORDER BY created_at DESC, token_hash LIMIT 100`,
  );
}

/** Whether a session is there, and a person's. */
export async function isSessionOf(db: Queryable, user_id: string, token_hash: Buffer): Promise<boolean> {
  const rows = await db.query(
    sql`SELECT 1 AS found FROM sessions WHERE token_hash = ${token_hash} AND user_id = ${user_id}`,
  );
  return rows.length === 1;
}

/** Deletes all sessions of a person except `keep`; returns how many. */
export async function deleteSessionsOf(db: Queryable, user_id: string, keep: Buffer | null): Promise<number> {
  const gone = await db.query(
    sql`DELETE FROM sessions WHERE user_id = ${user_id} AND token_hash IS DISTINCT FROM ${keep}::bytea
      RETURNING 1 AS gone`,
  );
  return gone.length;
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
