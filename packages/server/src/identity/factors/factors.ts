/** Which second factors a person has. */
import type { Clock } from '../../base/time/clock.ts';
import type { Database, Queryable, Tx } from '../../base/pg/index.ts';
import type { IdSource } from '../../base/ids.ts';
import type { SecretBox } from '../../base/secret-box.ts';
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

/** Deletes every factor of a person, with the recovery codes; returns how many apps and passkeys. */
export async function deleteFactorsOf(tx: Tx, user_id: string): Promise<number> {
  const passkeys = await deletePasskeysOf(tx, user_id);
  const totp = await deleteTotp(tx, user_id);
  await replaceRecoveryCodes(tx, user_id, []);
  return passkeys + (totp ? 1 : 0);
}
