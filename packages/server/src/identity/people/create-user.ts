/** Creates accounts of people and of administrators. */
import { logAct } from '../../base/audit/index.ts';
import type { Clock } from '../../base/time/clock.ts';
import { type Database, isUniqueViolation, type Tx } from '../../base/pg/index.ts';
import { AppError } from '../../base/errors.ts';
import type { IdSource } from '../../base/ids.ts';
import { hashPassword } from './password.ts';
import { checkEmail } from './email.ts';
import { checkName, checkPassword, type Person, type Role } from './person.ts';
import { insertPerson } from './person.sql.ts';

export interface NewPerson {
  email: string;
  name: string;
  password: string;
  /** Default `user`. */
  role?: Role;
}

/**
 * Checks a new account and hashes its password. That takes long, so it comes before the transaction of `createUser`.
 *
 * @throws AppError `invalid_request` with `field`; `rate_limited` while too many passwords are hashed
 */
export async function preparePerson(
  { ids }: { ids: Pick<IdSource, 'uuid'> },
  { email, name, password, role = 'user' }: NewPerson,
  now: Date,
): Promise<Person> {
  const checked = { email: checkEmail(email), name: checkName(name), role };
  const password_hash = await hashPassword(await checkPassword(password));
  return { ...checked, user_id: ids.uuid(), password_hash, created_at: now, disabled_at: null };
}

/** Creates an account. Throws AppError `already_exists` where the email address has one. */
export async function createUser(tx: Tx, person: Person): Promise<void> {
  try {
    await insertPerson(tx, person);
  } catch (error) {
    if (!isUniqueViolation(error)) throw error;
    throw new AppError('already_exists', {
      field: 'email',
      description: 'The address has an account already.',
    });
  }
}

/**
 * Creates an administrator, from the command line, with an entry in the audit log. Throws as `preparePerson` and `createUser` do.
 */
export async function createAdmin(
  { db, clock, ids }: { db: Database; clock: Clock; ids: IdSource },
  { email, name, password }: Omit<NewPerson, 'role'>,
): Promise<Person> {
  const person = await preparePerson({ ids }, { email, name, password, role: 'admin' }, clock.now());
  return db.transaction(async (tx) => {
    await createUser(tx, person);
    const { user_id, role } = person;
    const after = { user_id, email: person.email, name: person.name, role };
    const act = { actor: 'command', action: 'user.create' };
    await logAct(tx, { clock, ids }, act, { target: `user:${user_id}`, before: null, after });
    return person;
  });
}
