import { type Queryable, type Row, sql, type Tx } from '../../base/pg/db.ts';
import { emailKey, type Person, type SessionUser } from './person.ts';

const columns = sql`user_id, email, name, role, password_hash, created_at`;

export async function selectPerson(db: Queryable, user_id: string): Promise<Person | null> {
  const [row] = await db.query<Person & Row>(sql`SELECT ${columns} FROM users WHERE user_id = ${user_id}`);
  return row ?? null;
}

export async function selectPersonByEmail(db: Queryable, email: string): Promise<Person | null> {
  const [row] = await db.query<Person & Row>(
    sql`SELECT ${columns} FROM users WHERE email_key = ${emailKey(email)}`,
  );
  return row ?? null;
}

/** People after a cursor, by id. */
export function selectPeople(db: Queryable, after: string, limit: number): Promise<Person[]> {
  return db.query<Person & Row>(
    sql`SELECT ${columns} FROM users WHERE user_id > ${after} ORDER BY user_id LIMIT ${limit}`,
  );
}

/** Sorts behind every text, byte by byte. */
const last = '\u{10ffff}';

/**
 * People whose address or name begins with a text, whatever its case, by name. Of more than `limit` the first by address
 * and the first by name are taken, each from its index.
 */
export function selectPeopleNamed(db: Queryable, text: string, limit: number): Promise<Person[]> {
  const key = emailKey(text);
  return db.query<Person & Row>(
    sql`SELECT ${columns} FROM users WHERE user_id IN (
        (SELECT user_id FROM users WHERE email_key ~>=~ ${key} AND email_key ~<~ ${key + last}
          ORDER BY email_key USING ~<~ LIMIT ${limit})
        UNION
        (SELECT user_id FROM users WHERE lower(name) ~>=~ lower(${text}) AND lower(name) ~<~ lower(${text + last})
          ORDER BY lower(name) USING ~<~ LIMIT ${limit}))
      ORDER BY lower(name), email_key LIMIT ${limit}`,
  );
}

export async function insertPerson(tx: Tx, p: Person): Promise<void> {
  await tx.query(
    sql`INSERT INTO users (user_id, email, email_key, name, role, password_hash, created_at)
      VALUES (${p.user_id}, ${p.email}, ${emailKey(p.email)}, ${p.name}, ${p.role}, ${p.password_hash},
        ${p.created_at})`,
  );
}

export async function updatePassword(tx: Tx, user_id: string, password_hash: string): Promise<void> {
  await tx.query(sql`UPDATE users SET password_hash = ${password_hash} WHERE user_id = ${user_id}`);
}

export async function updateName(db: Queryable, user_id: string, name: string): Promise<void> {
  await db.query(sql`UPDATE users SET name = ${name} WHERE user_id = ${user_id}`);
}

/** A session as it is stored: the token is not. */
export interface SessionRow {
  token_hash: Buffer;
  user_id: string;
  agent: string;
  created_at: Date;
  expires_at: Date;
}

/** The session and whose it is, or null where it is unknown or over. */
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

export async function prolongSession(db: Queryable, token_hash: Buffer, expires_at: Date): Promise<void> {
  await db.query(
    sql`UPDATE sessions SET expires_at = ${expires_at}
      WHERE token_hash = ${token_hash} AND expires_at < ${expires_at}`,
  );
}

export async function deleteSession(db: Queryable, token_hash: Buffer): Promise<void> {
  await db.query(sql`DELETE FROM sessions WHERE token_hash = ${token_hash}`);
}

/** The sessions of a person that are not over, the latest first; a hundred at most. */
export function selectSessionsOf(db: Queryable, user_id: string, now: Date): Promise<SessionRow[]> {
  return db.query<SessionRow & Row>(
    sql`SELECT token_hash, user_id, agent, created_at, expires_at FROM sessions
      WHERE user_id = ${user_id} AND expires_at > ${now} ORDER BY created_at DESC, token_hash LIMIT 100`,
  );
}

/** Ends all sessions of a person, but the one to keep. */
export async function deleteSessionsOf(db: Queryable, user_id: string, keep: Buffer | null): Promise<void> {
  await db.query(
    sql`DELETE FROM sessions WHERE user_id = ${user_id} AND token_hash IS DISTINCT FROM ${keep}::bytea`,
  );
}

/** Removes a batch of what has expired before `at`; says how many rows that were. */
export async function deleteExpiredSessions(db: Queryable, at: Date, limit: number): Promise<number> {
  const gone = await db.query(
    sql`DELETE FROM sessions WHERE token_hash IN (
      SELECT token_hash FROM sessions WHERE expires_at < ${at} ORDER BY expires_at LIMIT ${limit}
    ) RETURNING 1 AS gone`,
  );
  return gone.length;
}
