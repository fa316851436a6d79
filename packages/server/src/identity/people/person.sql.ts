/** Reads and writes accounts (table `users`). */
import { type Queryable, type Tx, type Row, sql } from '../../base/pg/index.ts';
import { emailKey } from './email.ts';
import { isAdministrator, type Person } from './person.ts';

const columns = sql`user_id, email, name, role, password_hash, created_at, disabled_at`;

export async function selectPerson(db: Queryable, user_id: string): Promise<Person | null> {
  const [row] = await db.query<Person & Row>(sql`SELECT ${columns} FROM users WHERE user_id = ${user_id}`);
  return row ?? null;
}

/**
 * Locks a person until the end of the transaction. Transactions take this lock in turn, so the end of the person's access gets
 * its turn, too: if they shared the lock, enough of them at once would keep it waiting for ever (D-1082).
 */
export async function lockPerson(tx: Tx, user_id: string): Promise<Person | null> {
  const [person = null] = await lockPeople(tx, [user_id]);
  return person;
}

/** Locks several people in the order of `lockWithAdministrators`, so that no two writes wait for each other (D-1087). */
export async function lockPeople(tx: Tx, user_ids: readonly string[]): Promise<Person[]> {
  if (user_ids.length === 0) return [];
  return tx.query<Person & Row>(
    sql`SELECT ${columns} FROM users WHERE user_id = ANY(${[...user_ids]}::uuid[])
      ORDER BY user_id FOR NO KEY UPDATE`,
  );
}

export async function selectPersonByEmail(db: Queryable, email: string): Promise<Person | null> {
  const [row] = await db.query<Person & Row>(
    sql`SELECT ${columns} FROM users WHERE email_key = ${emailKey(email)}`,
  );
  return row ?? null;
}

/** One page of accounts after a cursor, by id. */
export function selectPeople(db: Queryable, after: string, limit: number): Promise<Person[]> {
  return db.query<Person & Row>(
    sql`SELECT ${columns} FROM users WHERE user_id > ${after} ORDER BY user_id LIMIT ${limit}`,
  );
}

/** Sorts behind every text, byte by byte. */
const last = '\u{10ffff}';

/**
 * Accounts whose email address or name begins with a text, ignoring case, sorted by name. Reads at most `limit` by
 * address and `limit` by name, each from its index.
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

/** Erases an account except its id: no name, no address, no password, and no access. */
export async function updateErased(
  tx: Tx,
  { user_id, email, password_hash, at }: { user_id: string; email: string; password_hash: string; at: Date },
): Promise<void> {
  await tx.query(
    sql`UPDATE users SET email = ${email}, email_key = ${emailKey(email)}, name = '', password_hash = ${password_hash},
        locale = NULL, disabled_at = coalesce(disabled_at, ${at}) WHERE user_id = ${user_id}`,
  );
}

export async function insertPerson(tx: Tx, p: Person): Promise<void> {
  await tx.query(
    sql`INSERT INTO users (user_id, email, email_key, name, role, password_hash, created_at)
      VALUES (${p.user_id}, ${p.email}, ${emailKey(p.email)}, ${p.name}, ${p.role}, ${p.password_hash},
        ${p.created_at})`,
  );
}

/**
 * Replaces a password.
 *
 * @param before the hash that it must still have; null if any may be replaced
 * @returns false if it has another one
 */
export async function updatePassword(
  tx: Tx,
  user_id: string,
  password_hash: string,
  before: string | null,
): Promise<boolean> {
  const isSame = before === null ? sql`` : sql`AND password_hash = ${before}`;
  const rows = await tx.query(
    sql`UPDATE users SET password_hash = ${password_hash} WHERE user_id = ${user_id} ${isSame} RETURNING 1 AS done`,
  );
  return rows.length === 1;
}

/**
 * Locks a person together with all active administrators, always in the same order, so that two changes at once see
 * each other and leave one administrator.
 *
 * @returns the person, and the ids of the active administrators; null where there is no such person
 */
export async function lockWithAdministrators(
  tx: Tx,
  user_id: string,
): Promise<{ person: Person; administrators: string[] } | null> {
  const locked = await tx.query<Person & Row>(
    sql`SELECT ${columns} FROM users WHERE user_id = ${user_id} OR (role = 'admin' AND disabled_at IS NULL)
      ORDER BY user_id FOR UPDATE`,
  );
  const person = locked.find((one) => one.user_id === user_id);
  if (person === undefined) return null;
  return { person, administrators: locked.filter(isAdministrator).map(({ user_id: id }) => id) };
}

export async function updatePerson(tx: Tx, p: Person): Promise<void> {
  await tx.query(
    sql`UPDATE users SET name = ${p.name}, role = ${p.role}, disabled_at = ${p.disabled_at}
      WHERE user_id = ${p.user_id}`,
  );
}

export async function updateName(db: Queryable, user_id: string, name: string): Promise<void> {
  await db.query(sql`UPDATE users SET name = ${name} WHERE user_id = ${user_id}`);
}
