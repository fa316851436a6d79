import type { Tx } from '../../base/pg/index.ts';
import { type Person, updateErased } from '../people/index.ts';

/** An address that no mail reaches, and that nobody can sign up with. */
const addressOf = (user_id: string): string => `${user_id}@erased.invalid`;

/**
 * Takes name, address and password from an account, and disables it. The id stays: books and audit log name it.
 *
 * @param password_hash of a random password that is not kept
 * @returns false if that was done before
 */
export async function anonymise(tx: Tx, person: Person, password_hash: string, at: Date): Promise<boolean> {
  const email = addressOf(person.user_id);
  if (person.email === email && person.name === '') return false;
  await updateErased(tx, { user_id: person.user_id, email, password_hash, at });
  return true;
}
