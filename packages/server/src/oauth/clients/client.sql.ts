/** Reads and writes OAuth clients (table `oauth_clients`). */
import { type Queryable, type Tx, type Row, sql } from '../../base/pg/index.ts';
import type { Client } from './client.ts';

const columns = sql`client_id, merchant_id, name, type, scopes, redirect_uris, secret_digest,
  previous_secret_digest, previous_valid_until, jwks, disabled, disabled_by, token_generation, allowed_cidrs, created_at`;

const storedKeys = ({ jwks }: Client): string | null => (jwks === null ? null : JSON.stringify(jwks));

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

/** One page of a merchant's clients after a cursor, by id. */
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

/** One page of all clients after a cursor, by id. */
export function selectClients(db: Queryable, after: string, limit: number): Promise<Client[]> {
  return db.query<Client & Row>(
    sql`SELECT ${columns} FROM oauth_clients WHERE client_id > ${after} ORDER BY client_id LIMIT ${limit}`,
  );
}

export async function insertClient(tx: Tx, c: Client): Promise<void> {
  await tx.query(
    sql`INSERT INTO oauth_clients (${columns}) VALUES (${c.client_id}, ${c.merchant_id}, ${c.name}, ${c.type},
      ${c.scopes}, ${c.redirect_uris}, ${c.secret_digest}, ${c.previous_secret_digest},
      ${c.previous_valid_until}, ${storedKeys(c)}::jsonb, ${c.disabled}, ${c.disabled_by}, ${c.token_generation},
      ${c.allowed_cidrs}, ${c.created_at})`,
  );
}

export async function updateClient(tx: Tx, c: Client): Promise<void> {
  await tx.query(
    sql`UPDATE oauth_clients SET name = ${c.name}, type = ${c.type}, scopes = ${c.scopes}, redirect_uris = ${c.redirect_uris},
      secret_digest = ${c.secret_digest}, previous_secret_digest = ${c.previous_secret_digest},
      previous_valid_until = ${c.previous_valid_until}, jwks = ${storedKeys(c)}::jsonb, disabled = ${c.disabled},
      disabled_by = ${c.disabled_by}, token_generation = ${c.token_generation}, allowed_cidrs = ${c.allowed_cidrs}
      WHERE client_id = ${c.client_id}`,
  );
}
