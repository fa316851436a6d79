import { type Queryable, type Row, sql, type Tx } from '../../base/pg/db.ts';
import type { Client } from './client.ts';

const columns = sql`client_id, merchant_id, name, type, scopes, redirect_uris, secret_digest,
  previous_secret_digest, previous_valid_until, disabled, created_at`;

export async function selectClient(db: Queryable, client_id: string): Promise<Client | null> {
  const [row] = await db.query<Client & Row>(
    sql`SELECT ${columns} FROM oauth_clients WHERE client_id = ${client_id}`,
  );
  return row ?? null;
}

export async function selectClientForUpdate(tx: Tx, client_id: string): Promise<Client | null> {
  const [row] = await tx.query<Client & Row>(
    sql`SELECT ${columns} FROM oauth_clients WHERE client_id = ${client_id} FOR UPDATE`,
  );
  return row ?? null;
}

/** All clients of a merchant, by id. */
export function selectClientsOf(db: Queryable, merchant_id: string): Promise<Client[]> {
  return db.query<Client & Row>(
    sql`SELECT ${columns} FROM oauth_clients WHERE merchant_id = ${merchant_id} ORDER BY client_id`,
  );
}

export function selectClientsByIds(db: Queryable, client_ids: readonly string[]): Promise<Client[]> {
  return db.query<Client & Row>(
    sql`SELECT ${columns} FROM oauth_clients WHERE client_id = ANY (${client_ids})`,
  );
}

/** Clients of a merchant after a cursor, by id. */
export function selectClientPage(
  db: Queryable,
  merchant_id: string,
  after: string,
  limit: number,
): Promise<Client[]> {
  return db.query<Client & Row>(
    sql`SELECT ${columns} FROM oauth_clients WHERE merchant_id = ${merchant_id} AND client_id > ${after}
      ORDER BY client_id LIMIT ${limit}`,
  );
}

/** Clients after a cursor, by id. */
export function selectClients(db: Queryable, after: string, limit: number): Promise<Client[]> {
  return db.query<Client & Row>(
    sql`SELECT ${columns} FROM oauth_clients WHERE client_id > ${after} ORDER BY client_id LIMIT ${limit}`,
  );
}

export async function insertClient(tx: Tx, c: Client): Promise<void> {
  await tx.query(
    sql`INSERT INTO oauth_clients (${columns}) VALUES (${c.client_id}, ${c.merchant_id}, ${c.name}, ${c.type},
      ${c.scopes}, ${c.redirect_uris}, ${c.secret_digest}, ${c.previous_secret_digest},
      ${c.previous_valid_until}, ${c.disabled}, ${c.created_at})`,
  );
}

export async function updateClient(tx: Tx, c: Client): Promise<void> {
  await tx.query(
    sql`UPDATE oauth_clients SET name = ${c.name}, type = ${c.type}, scopes = ${c.scopes}, redirect_uris = ${c.redirect_uris},
      secret_digest = ${c.secret_digest}, previous_secret_digest = ${c.previous_secret_digest},
      previous_valid_until = ${c.previous_valid_until}, disabled = ${c.disabled}
      WHERE client_id = ${c.client_id}`,
  );
}

/** What is known of an access token; the token itself is not. */
export interface TokenRow {
  token_hash: Buffer;
  client_id: string;
  /** Null for the client-credentials grant. */
  user_id: string | null;
  grant_hash: Buffer | null;
  scopes: string[];
  payload: Record<string, unknown>;
  created_at: Date;
  expires_at: Date;
}

const tokenColumns = sql`token_hash, client_id, user_id, grant_hash, scopes, payload, created_at, expires_at`;

/** A token that a user authorized, with the grant that it came of. */
export type GrantedToken = TokenRow & { grant_hash: Buffer };

/** Stores tokens that came of no grant, of any number of clients. */
export async function insertTokens(db: Queryable, tokens: readonly TokenRow[]): Promise<void> {
  const column = <K extends keyof TokenRow>(name: K): TokenRow[K][] => tokens.map((token) => token[name]);
  // An array of arrays would have to be as long in each row: the scopes go as one text each.
  await db.query(
    sql`INSERT INTO oauth_tokens (${tokenColumns})
      SELECT hash, client, NULL, NULL, string_to_array(scope, ' '), payload::jsonb, created, expires
      FROM unnest(${column('token_hash')}::bytea[], ${column('client_id')}::text[],
        ${column('scopes').map((scopes) => scopes.join(' '))}::text[],
        ${column('payload').map((payload) => JSON.stringify(payload))}::text[],
        ${column('created_at')}::timestamptz[], ${column('expires_at')}::timestamptz[])
        AS t (hash, client, scope, payload, created, expires)`,
  );
}

/**
 * Stores a token that a user authorized, only while its grant stands; whoever takes the grant back waits for it: so
 * nothing outlives its grant (D-171).
 *
 * @returns false where the grant is gone
 */
export async function insertGrantedToken(db: Queryable, t: GrantedToken): Promise<boolean> {
  const rows = await db.query(
    sql`WITH standing AS (
        SELECT 1 FROM oauth_artifacts WHERE model = 'Grant' AND id_hash = ${t.grant_hash} FOR SHARE
      )
      INSERT INTO oauth_tokens (${tokenColumns})
      SELECT ${t.token_hash}, ${t.client_id}, ${t.user_id}::uuid, ${t.grant_hash}::bytea, ${t.scopes}::text[],
        ${JSON.stringify(t.payload)}::jsonb, ${t.created_at}::timestamptz, ${t.expires_at}::timestamptz
      FROM standing RETURNING 1 AS done`,
  );
  return rows.length === 1;
}

export async function selectToken(db: Queryable, token_hash: Buffer): Promise<TokenRow | null> {
  const [row] = await db.query<TokenRow & Row>(
    sql`SELECT ${tokenColumns} FROM oauth_tokens WHERE token_hash = ${token_hash}`,
  );
  return row ?? null;
}

/** What the bearer check needs of a token, and keeps in its cache: nothing more. */
export type BearerToken = Pick<TokenRow, 'client_id' | 'user_id' | 'scopes' | 'expires_at'>;

export async function selectBearerToken(db: Queryable, token_hash: Buffer): Promise<BearerToken | null> {
  const [row] = await db.query<BearerToken & Row>(
    sql`SELECT client_id, user_id, scopes, expires_at FROM oauth_tokens WHERE token_hash = ${token_hash}`,
  );
  return row ?? null;
}

export async function deleteToken(tx: Tx, token_hash: Buffer): Promise<void> {
  await tx.query(sql`DELETE FROM oauth_tokens WHERE token_hash = ${token_hash}`);
}

/** Everything that came of one authorization: its tokens, codes and the grant itself. */
export async function deleteByGrant(tx: Tx, grant_hash: Buffer): Promise<void> {
  // The grant first: whoever is about to store a token under it is waited for (insertToken).
  await tx.query(sql`DELETE FROM oauth_artifacts WHERE grant_hash = ${grant_hash}`);
  await tx.query(sql`DELETE FROM oauth_tokens WHERE grant_hash = ${grant_hash}`);
}

/** Whatever else the authorization server keeps. */
export interface ArtifactRow {
  model: string;
  id_hash: Buffer;
  grant_hash: Buffer | null;
  uid_hash: Buffer | null;
  payload: Record<string, unknown>;
  consumed_at: Date | null;
  expires_at: Date | null;
}

const artifactColumns = sql`model, id_hash, grant_hash, uid_hash, payload, consumed_at, expires_at`;

export async function upsertArtifact(db: Queryable, a: ArtifactRow): Promise<void> {
  await db.query(
    sql`INSERT INTO oauth_artifacts (${artifactColumns}) VALUES (${a.model}, ${a.id_hash}, ${a.grant_hash},
      ${a.uid_hash}, ${JSON.stringify(a.payload)}, ${a.consumed_at}, ${a.expires_at})
      ON CONFLICT (model, id_hash) DO UPDATE SET grant_hash = excluded.grant_hash, uid_hash = excluded.uid_hash,
        payload = excluded.payload, expires_at = excluded.expires_at`,
  );
}

export async function selectArtifact(
  db: Queryable,
  model: string,
  id_hash: Buffer,
): Promise<ArtifactRow | null> {
  const [row] = await db.query<ArtifactRow & Row>(
    sql`SELECT ${artifactColumns} FROM oauth_artifacts WHERE model = ${model} AND id_hash = ${id_hash}`,
  );
  return row ?? null;
}

export async function selectArtifactByUid(
  db: Queryable,
  model: string,
  uid_hash: Buffer,
): Promise<ArtifactRow | null> {
  const [row] = await db.query<ArtifactRow & Row>(
    sql`SELECT ${artifactColumns} FROM oauth_artifacts WHERE model = ${model} AND uid_hash = ${uid_hash}`,
  );
  return row ?? null;
}

/** Marks an artifact as used, the first time only: false where it was used before or is not there. */
export async function consumeArtifact(
  db: Queryable,
  model: string,
  id_hash: Buffer,
  at: Date,
): Promise<boolean> {
  const rows = await db.query(
    sql`UPDATE oauth_artifacts SET consumed_at = ${at}
      WHERE model = ${model} AND id_hash = ${id_hash} AND consumed_at IS NULL RETURNING 1 AS done`,
  );
  return rows.length === 1;
}

export async function deleteArtifact(db: Queryable, model: string, id_hash: Buffer): Promise<void> {
  await db.query(sql`DELETE FROM oauth_artifacts WHERE model = ${model} AND id_hash = ${id_hash}`);
}

/** Removes a batch of what has expired before `at`; says how many rows that were. */
export async function deleteExpired(db: Queryable, at: Date, limit: number): Promise<number> {
  const tokens = await db.query(
    sql`DELETE FROM oauth_tokens WHERE token_hash IN (
      SELECT token_hash FROM oauth_tokens WHERE expires_at < ${at} ORDER BY expires_at LIMIT ${limit}
    ) RETURNING 1 AS gone`,
  );
  const artifacts = await db.query(
    sql`DELETE FROM oauth_artifacts WHERE (model, id_hash) IN (
      SELECT model, id_hash FROM oauth_artifacts WHERE expires_at < ${at} ORDER BY expires_at LIMIT ${limit}
    ) RETURNING 1 AS gone`,
  );
  return tokens.length + artifacts.length;
}
