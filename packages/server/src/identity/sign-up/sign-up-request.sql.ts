/** Reads and writes requests for an account (table `sign_up_requests`). */
import { type Database, type Queryable, type Row, sql, type Tx } from '../../base/pg/index.ts';
import { claimMail } from '../mail/index.ts';
import { emailKey } from '../people/index.ts';

/** A person who wants an account. The address may have one already. */
export interface SignUpRequest {
  request_id: string;
  email: string;
  locale: string;
  /** The path to go on with, sealed. */
  return_box: Buffer;
  /** The id that the new account will have. */
  user_id: string;
  /** The name for an account with a passkey; empty before. */
  name: string;
  /** Real times. */
  requested_at: Date;
  expires_at: Date;
  /** When its mail is due; null when it was sent. */
  due_at: Date | null;
  tries: number;
}

const columns = sql`request_id, email, locale, return_box, user_id, name, requested_at, expires_at, due_at, tries`;

export async function insertSignUp(db: Queryable, r: SignUpRequest): Promise<void> {
  await db.query(
    sql`INSERT INTO sign_up_requests (${columns}, email_key)
      VALUES (${r.request_id}, ${r.email}, ${r.locale}, ${r.return_box}, ${r.user_id}, ${r.name}, ${r.requested_at},
        ${r.expires_at}, ${r.due_at}, ${r.tries}, ${emailKey(r.email)})`,
  );
}

/** Takes one request whose mail is due, and moves that to `next`; null where none is due. */
export const claimSignUp = (db: Database, now: Date, next: Date): Promise<SignUpRequest | null> =>
  claimMail<SignUpRequest & Row>(
    db,
    { table: sql`sign_up_requests`, id: sql`request_id`, columns },
    now,
    next,
  );

/** Gives a request the token of its link. An earlier link ends. */
export async function updateSignUpToken(
  db: Queryable,
  request_id: string,
  token_hash: Buffer,
): Promise<void> {
  await db.query(
    sql`UPDATE sign_up_requests SET token_hash = ${token_hash} WHERE request_id = ${request_id}`,
  );
}

/** Records that no mail is due. */
export async function endSignUpMail(db: Queryable, request_id: string): Promise<void> {
  await db.query(sql`UPDATE sign_up_requests SET due_at = NULL WHERE request_id = ${request_id}`);
}

/** The request of a link; null where it is unknown or over. */
export async function selectSignUp(
  db: Queryable,
  token_hash: Buffer,
  now: Date,
): Promise<SignUpRequest | null> {
  const [row] = await db.query<SignUpRequest & Row>(
    sql`SELECT ${columns} FROM sign_up_requests WHERE token_hash = ${token_hash} AND expires_at > ${now}`,
  );
  return row ?? null;
}

/** The request whose account will have this id; null where there is none, or it is over. */
export async function selectSignUpOf(
  db: Queryable,
  user_id: string,
  now: Date,
): Promise<SignUpRequest | null> {
  const [row] = await db.query<SignUpRequest & Row>(
    sql`SELECT ${columns} FROM sign_up_requests WHERE user_id = ${user_id} AND expires_at > ${now}`,
  );
  return row ?? null;
}

export async function updateSignUpName(db: Queryable, request_id: string, name: string): Promise<void> {
  await db.query(sql`UPDATE sign_up_requests SET name = ${name} WHERE request_id = ${request_id}`);
}

/**
 * Deletes every request of the same address, so that no other link makes an account.
 *
 * @returns whether this request was still there: of several callers at once only one gets it
 */
export async function takeSignUp(
  tx: Tx,
  { request_id, email }: Pick<SignUpRequest, 'request_id' | 'email'>,
): Promise<boolean> {
  const gone = await tx.query<{ request_id: string }>(
    sql`DELETE FROM sign_up_requests WHERE email_key = ${emailKey(email)} RETURNING request_id`,
  );
  return gone.some((row) => row.request_id === request_id);
}

/** Deletes a batch of requests that were over before `at`; returns how many. */
export async function deleteExpiredSignUps(db: Queryable, at: Date, limit: number): Promise<number> {
  const gone = await db.query(
    sql`DELETE FROM sign_up_requests WHERE request_id IN (
      SELECT request_id FROM sign_up_requests WHERE expires_at < ${at} ORDER BY expires_at LIMIT ${limit}
    ) RETURNING 1 AS gone`,
  );
  return gone.length;
}
