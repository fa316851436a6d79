/** Which second factors a person has. */
import { AppError } from '../../base/errors.ts';
import type { Clock } from '../../base/time/clock.ts';
import type { Database, Queryable, Tx } from '../../base/pg/index.ts';
import type { IdSource } from '../../base/ids.ts';
import type { SecretBox } from '../../base/secret-box.ts';
import type { SignedInUser } from '../people/index.ts';
import { deletePasskeysOf, selectPasskeysOf } from './passkey.sql.ts';
import { replaceRecoveryCodes, selectRecoveryCodes } from './recovery-code.sql.ts';
import { deleteTotp, selectTotp } from './totp.sql.ts';

export interface FactorDeps {
  db: Database;
  clock: Clock;
  ids: IdSource;
  box: SecretBox;
}

/** The second factors of a person, as the account page shows them. */
export interface Factors {
  totp: boolean;
  passkeys: { credential_id: string; created_at: Date }[];
  recovery_codes: number;
}

export async function factorsOf({ db }: { db: Queryable }, user_id: string): Promise<Factors> {
  const [totp, passkeys, codes] = await Promise.all([
    selectTotp(db, user_id),
    selectPasskeysOf(db, user_id),
    selectRecoveryCodes(db, user_id),
  ]);
  return {
    totp: totp !== null && totp.confirmed_at !== null,
    passkeys: passkeys.map(({ credential_id, created_at }) => ({ credential_id, created_at })),
    recovery_codes: codes.length,
  };
}

export const needsSecondFactor = ({ totp, passkeys }: Factors): boolean => totp || passkeys.length > 0;

/** Since when a person has a second factor, by the oldest; null without one. Both reads go together. */
export async function factorSince(db: Queryable, user_id: string): Promise<Date | null> {
  const [totp, passkeys] = await Promise.all([selectTotp(db, user_id), selectPasskeysOf(db, user_id)]);
  const [passkey = null] = passkeys.map(({ created_at }) => created_at);
  const app = totp?.confirmed_at ?? null;
  return app !== null && passkey !== null ? new Date(Math.min(+app, +passkey)) : (app ?? passkey);
}

/**
 * Refuses a session that began before its person had a second factor: it has shown only the password (D-1006).
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

/** Deletes every factor of a person, with the recovery codes; returns how many apps and passkeys. */
export async function deleteFactorsOf(tx: Tx, user_id: string): Promise<number> {
  const passkeys = await deletePasskeysOf(tx, user_id);
  const totp = await deleteTotp(tx, user_id);
  await replaceRecoveryCodes(tx, user_id, []);
  return passkeys + (totp ? 1 : 0);
}
