/** Reads and writes consents (table `oauth_consents`), and deletes what came from them. */
import { type Queryable, type Row, sql, type Tx } from '../../base/pg/index.ts';
import { tokenHash } from '../../base/secret-box.ts';
import type { Scope } from '../clients/index.ts';
import { type AppLimits, noLimits } from './app-limits.ts';

/** The scopes that a person has allowed to a client. */
export interface Consent extends AppLimits {
  user_id: string;
  client_id: string;
  scopes: Scope[];
  given_at: Date;
}

const columns = sql`user_id, client_id, scopes, given_at, max_per_payment, max_per_day`;

/**
 * Whether a code is this person's (D-970), and the consent behind it still exists. It waits for a removal of the consent under
 * way, so a code that was made meanwhile does not outlive it (D-937).
 */
export async function isCodeAllowed(db: Queryable, code: string, user_id: string): Promise<boolean> {
  const rows = await db.query(
    sql`SELECT 1 AS found FROM oauth_artifacts a
      JOIN oauth_consents c ON c.user_id = (a.payload ->> 'accountId')::uuid AND c.client_id = a.payload ->> 'clientId'
      WHERE a.model = 'AuthorizationCode' AND a.id_hash = ${tokenHash(code)} AND c.user_id = ${user_id}
      FOR NO KEY UPDATE OF c`,
  );
  return rows.length === 1;
}

export async function selectConsent(
  db: Queryable,
  user_id: string,
  client_id: string,
): Promise<Consent | null> {
  const [row] = await db.query<Consent & Row>(
    sql`SELECT ${columns} FROM oauth_consents WHERE user_id = ${user_id} AND client_id = ${client_id}`,
  );
  return row ?? null;
}

/** All consents of a person, newest first. */
export function selectConsentsOf(db: Queryable, user_id: string): Promise<Consent[]> {
  return db.query<Consent & Row>(
    sql`SELECT ${columns} FROM oauth_consents WHERE user_id = ${user_id} ORDER BY given_at DESC, client_id`,
  );
}

/** Stores a consent; adds its scopes to the scopes of an earlier one. Replaces its limits, unless `limits` is null. */
export async function insertConsent(
  db: Queryable,
  { limits, ...c }: Omit<Consent, keyof AppLimits> & { limits: AppLimits | null },
): Promise<void> {
  const { max_per_payment, max_per_day } = limits ?? noLimits;
  const replaced =
    limits === null
      ? sql``
      : sql`max_per_payment = excluded.max_per_payment, max_per_day = excluded.max_per_day,`;
  await db.query(
    sql`INSERT INTO oauth_consents (${columns})
      VALUES (${c.user_id}, ${c.client_id}, ${c.scopes}, ${c.given_at}, ${max_per_payment}, ${max_per_day})
      ON CONFLICT (user_id, client_id) DO UPDATE SET given_at = excluded.given_at,
        ${replaced} scopes = union_of(oauth_consents.scopes, excluded.scopes)`,
  );
}

/**
 * Deletes a consent with every code and token that came from it. The grants go before the tokens: this waits for a
 * token that is being stored under one of them (insertGrantedToken).
 *
 * @returns whether there was a consent
 */
export async function deleteConsent(tx: Tx, user_id: string, client_id: string): Promise<boolean> {
  const consents = await tx.query(
    sql`DELETE FROM oauth_consents WHERE user_id = ${user_id} AND client_id = ${client_id} RETURNING 1 AS gone`,
  );
  await tx.query(
    sql`DELETE FROM oauth_artifacts WHERE payload ->> 'accountId' = ${user_id}
      AND payload ->> 'clientId' = ${client_id} AND model IN ('Grant', 'AuthorizationCode')`,
  );
  await tx.query(sql`DELETE FROM oauth_tokens WHERE user_id = ${user_id} AND client_id = ${client_id}`);
  return consents.length === 1;
}

/** Deletes every code and token of a person; the consents stay. The grants go first, as in `deleteConsent`. */
export async function deleteTokensOf(tx: Tx, user_id: string): Promise<void> {
  await tx.query(
    sql`DELETE FROM oauth_artifacts WHERE payload ->> 'accountId' = ${user_id}
      AND model IN ('Grant', 'AuthorizationCode')`,
  );
  await tx.query(sql`DELETE FROM oauth_tokens WHERE user_id = ${user_id}`);
}

/**
 * Reads the limits of an app and locks them until the transaction ends; null where there is no consent, or no token of the app
 * may pay any more: with a new password of the person all end, and the consent stays (D-1102).
 */
export async function lockAppLimits(tx: Tx, user_id: string, client_id: string): Promise<AppLimits | null> {
  const [[limits], tokens] = await Promise.all([
    tx.query<AppLimits & Row>(
      sql`SELECT max_per_payment, max_per_day FROM oauth_consents
        WHERE user_id = ${user_id} AND client_id = ${client_id} FOR NO KEY UPDATE`,
    ),
    tx.query(
      sql`SELECT 1 AS found FROM oauth_tokens t JOIN oauth_clients c ON c.client_id = t.client_id
        WHERE t.user_id = ${user_id} AND t.client_id = ${client_id} AND NOT c.disabled
          AND t.client_generation = c.token_generation AND 'payments.create' = ANY (t.scopes)
          AND 'payments.create' = ANY (c.scopes) LIMIT 1`,
    ),
  ]);
  return tokens.length === 0 ? null : (limits ?? null);
}

/** Replaces the limits of an app; false where there is no consent. */
export async function updateLimits(
  tx: Tx,
  { user_id, client_id, max_per_payment, max_per_day }: Omit<Consent, 'scopes' | 'given_at'>,
): Promise<boolean> {
  const rows = await tx.query(
    sql`UPDATE oauth_consents SET max_per_payment = ${max_per_payment}, max_per_day = ${max_per_day}
      WHERE user_id = ${user_id} AND client_id = ${client_id} RETURNING 1 AS done`,
  );
  return rows.length === 1;
}
