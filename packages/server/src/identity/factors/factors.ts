/** Which second factors a person has. */
import type { Clock } from '../../base/time/clock.ts';
import type { Database } from '../../base/pg/index.ts';
import type { IdSource } from '../../base/ids.ts';
import type { SecretBox } from '../../base/secret-box.ts';
import { selectPasskeysOf } from './passkey.sql.ts';
import { selectRecoveryCodes } from './recovery-code.sql.ts';
import { selectTotp } from './totp.sql.ts';

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

export async function factorsOf({ db }: Pick<FactorDeps, 'db'>, user_id: string): Promise<Factors> {
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
