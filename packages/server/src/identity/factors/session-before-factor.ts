/**
 * Sessions that began before their person had a second factor: they have shown only the password, which a thief may know.
 */
import { AppError } from '../../base/errors.ts';
import type { Queryable } from '../../base/pg/index.ts';
import type { SignedInUser } from '../people/index.ts';
import { selectPasskeysOf } from './passkey.sql.ts';
import { selectTotp } from './totp.sql.ts';

/**
 * Since when a person has a second factor, by the oldest; null without one. Sessions of platform staff that began before end
 * with it where staff need a factor (D-1001). Both reads go together.
 */
export async function factorSince(db: Queryable, user_id: string): Promise<Date | null> {
  const [totp, passkeys] = await Promise.all([selectTotp(db, user_id), selectPasskeysOf(db, user_id)]);
  const [passkey = null] = passkeys.map(({ created_at }) => created_at);
  const app = totp?.confirmed_at ?? null;
  return app !== null && passkey !== null ? new Date(Math.min(+app, +passkey)) : (app ?? passkey);
}

/**
 * Refuses a session that began before its person had a second factor: it proves no presence by the password, changes nothing
 * about how the account is protected (D-1006), and finishes no set-up of a factor (D-1060).
 *
 * @throws AppError `authentication_required`
 */
export async function demandFactorShown(
  db: Queryable,
  { user_id, signed_in_at }: Pick<SignedInUser, 'user_id' | 'signed_in_at'>,
): Promise<void> {
  const since = await factorSince(db, user_id);
  if (since !== null && signed_in_at < since) throw new AppError('authentication_required');
}
