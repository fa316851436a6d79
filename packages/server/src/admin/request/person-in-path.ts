/** How administration calls find the person whom a path or a body names. */
import type { Queryable } from '../../base/pg/index.ts';
import { selectPerson, type Person } from '../../identity/people/index.ts';
import { isUuid } from '../../base/input/decode.ts';
import { AppError, invalid } from '../../base/errors.ts';

const find = (db: Queryable, user_id: string): Promise<Person | null> =>
  isUuid(user_id) ? selectPerson(db, user_id) : Promise.resolve(null);

/** The person whose id is in the path. Throws `not_found`. */
export async function userInPath(db: Queryable, user_id: string): Promise<Person> {
  const person = await find(db, user_id);
  if (person === null) throw new AppError('not_found');
  return person;
}

/** Checks that a person with this id exists. Throws `invalid_request` on `field`. */
export async function demandPerson(db: Queryable, field: string, user_id: string): Promise<void> {
  if ((await find(db, user_id)) === null) throw invalid(field, `There is no user ${user_id}.`);
}
