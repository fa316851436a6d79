import { checkName, updateName } from '../people/index.ts';
import type { AccountDeps } from './own-password.ts';

/** Changes a person's own name. Throws `invalid_request` with `field` `name`. */
export async function changeName(
  { db }: Pick<AccountDeps, 'db'>,
  user_id: string,
  name: string,
): Promise<void> {
  await updateName(db, user_id, checkName(name));
}
