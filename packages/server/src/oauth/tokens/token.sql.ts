/** Reads and writes access tokens (table `oauth_tokens`). Only the SHA-256 of a token is stored (R-326, D-168). */
import { type Queryable, type Tx, type Row, sql } from '../../base/pg/index.ts';

/** An access token as it is stored. */
export interface TokenRow {
  token_hash: Buffer;
  client_id: string;
  /** Null for the client-credentials grant. */
  user_id: string | null;
  grant_hash: Buffer | null;
  scopes: string[];
  /** The `token_generation` that its client had when it authenticated. */
  client_generation: number;
  /** What the library stores of the token, without its id. */
  payload: Record<string, unknown>;
  created_at: Date;
  expires_at: Date;
}

const tokenColumns = sql`token_hash, client_id, user_id, grant_hash, scopes, client_generation, payload,
  created_at, expires_at`;

/** A token that a user authorized, with its grant. */
export type GrantedToken = TokenRow & { grant_hash: Buffer };

/** Stores tokens without a grant, of any number of clients, in one statement. */
export async function insertTokens(db: Queryable, tokens: readonly TokenRow[]): Promise<void> {
  const column = <K extends keyof TokenRow>(name: K): TokenRow[K][] => tokens.map((token) => token[name]);
  // PostgreSQL arrays of arrays need equal lengths, so the scopes of each token go as one text.
  await db.query(
    sql`INSERT INTO oauth_tokens (${tokenColumns})
      SELECT hash, client, NULL, NULL, string_to_array(scope, ' '), generation, payload::jsonb, created, expires
      FROM unnest(${column('token_hash')}::bytea[], ${column('client_id')}::text[],
        ${column('scopes').map((scopes) => scopes.join(' '))}::text[],
        ${column('client_generation')}::integer[],
        ${column('payload').map((payload) => JSON.stringify(payload))}::text[],
        ${column('created_at')}::timestamptz[], ${column('expires_at')}::timestamptz[])
        AS t (hash, client, scope, generation, payload, created, expires)`,
  );
}

/**
 * Stores a token that a user authorized, if its grant still exists. The statement locks the grant, so that a
 * revocation at the same time waits and then deletes this token too: no token outlives its grant (D-171).
 *
 * @returns false where the grant does not exist
 */
export async function insertGrantedToken(db: Queryable, t: GrantedToken): Promise<boolean> {
  const rows = await db.query(
    sql`WITH standing AS (
        SELECT 1 FROM oauth_artifacts WHERE model = 'Grant' AND id_hash = ${t.grant_hash} FOR NO KEY UPDATE
      )
      INSERT INTO oauth_tokens (${tokenColumns})
      SELECT ${t.token_hash}, ${t.client_id}, ${t.user_id}::uuid, ${t.grant_hash}::bytea, ${t.scopes}::text[],
        ${t.client_generation}::integer, ${JSON.stringify(t.payload)}::jsonb, ${t.created_at}::timestamptz, ${t.expires_at}::timestamptz
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

/** The part of a token that the bearer check needs and caches. */
export type BearerToken = Pick<
  TokenRow,
  'client_id' | 'user_id' | 'scopes' | 'client_generation' | 'expires_at'
>;

export async function selectBearerToken(db: Queryable, token_hash: Buffer): Promise<BearerToken | null> {
  const [row] = await db.query<BearerToken & Row>(
    sql`SELECT client_id, user_id, scopes, client_generation, expires_at FROM oauth_tokens
      WHERE token_hash = ${token_hash}`,
  );
  return row ?? null;
}

export async function deleteToken(tx: Tx, token_hash: Buffer): Promise<void> {
  await tx.query(sql`DELETE FROM oauth_tokens WHERE token_hash = ${token_hash}`);
}

/** Deletes all of one authorization: its tokens, its codes and the grant. */
export async function deleteByGrant(tx: Tx, grant_hash: Buffer): Promise<void> {
  // The grant first: this waits for a token that is being stored under it (insertGrantedToken).
  await tx.query(sql`DELETE FROM oauth_artifacts WHERE grant_hash = ${grant_hash}`);
  await tx.query(sql`DELETE FROM oauth_tokens WHERE grant_hash = ${grant_hash}`);
}

/** Deletes a batch of tokens, and a batch of artifacts, that expired before `at`; returns how many. */
export async function deleteExpiredTokens(db: Queryable, at: Date, limit: number): Promise<number> {
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
