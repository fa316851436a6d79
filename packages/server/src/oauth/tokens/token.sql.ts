import { type Queryable, type Tx, type Row, sql } from '../../base/pg/index.ts';

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
