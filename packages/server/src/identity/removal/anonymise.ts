import type { Tx } from '../../base/pg/index.ts';
import { erasedAddress, isErased, type Person, updateErased } from '../people/index.ts';

/**
 * Takes name, address and password from an account, and disables it. The id stays: books and audit log name it.
 *
 * @param password_hash of a random password that is not kept
 * @returns false if that was done before
 */
export async function anonymise(tx: Tx, person: Person, password_hash: string, at: Date): Promise<boolean> {
  if (isErased(person)) return false;
  const { user_id } = person;
  await updateErased(tx, { user_id, email: erasedAddress(user_id), password_hash, at });
  return true;
}
