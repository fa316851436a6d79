/** Creates OAuth clients and tokens for the requests of a measurement. */
import { createHash, randomBytes } from 'node:crypto';
import { BenchError } from '../bench-error.ts';
import type { Database } from '../database/database.ts';
import type { RequestTemplate } from '../load/plan.ts';
import type { Load } from '../load/run-load.ts';
import type { Service } from '../processes/service.ts';

/** An OAuth client of a merchant with an access token. */
export interface Caller {
  merchant_no: string;
  client_id: string;
  token: string;
}

/**
 * Creates as many clients as the rate limits require. In the whole run, each client makes at most the
 * requests that the limit of one minute allows. So the limits stay on and are never reached.
 */
export interface Callers {
  /** Returns a caller for each of `count` creations. */
  forCreations(count: number): Promise<Caller[]>;
  /** Returns the ids and secrets of `count` new clients. */
  credentials(count: number): Promise<[client_id: string, client_secret: string][]>;
  /** Returns a caller for each of `count` reads. With `fresh`, each has an unused token. */
  forReads(count: number, fresh: boolean): Promise<Caller[]>;
}

const creations_per_minute = 60;
const reads_per_minute = 300;

export interface CallersDeps {
  service: Service;
  db: Database;
  load: Load;
  /** The merchants of the clients, in turn. */
  merchants: readonly string[];
  /** The scopes of the clients; defaults to those for collection orders. */
  scopes?: readonly string[];
}

export function createCallers(deps: CallersDeps): Callers {
  /** Clients that have made no reads yet. */
  const readers: Caller[] = [];
  return {
    async forCreations(count) {
      const callers = await issueTokens(deps, Math.ceil(count / creations_per_minute));
      readers.push(...callers);
      return inTurn(callers, count);
    },
    credentials: async (count) => {
      const { clients } = await addClients(deps, count);
      return clients.map(([client_id = '', client_secret = '']) => [client_id, client_secret]);
    },
    async forReads(count, fresh) {
      const needed = Math.ceil(count / reads_per_minute);
      if (readers.length < needed) readers.push(...(await issueTokens(deps, needed - readers.length)));
      const callers = inTurn(readers.splice(0, needed), count);
      return fresh ? copyTokens(deps.db, callers) : callers;
    },
  };
}

const inTurn = (callers: readonly Caller[], count: number): Caller[] =>
  Array.from({ length: count }, (_, i) => callers[i % callers.length]).filter(
    (caller) => caller !== undefined,
  );

/** Sends every row once and returns the kept members of the answers. */
async function sendAll(
  { service, load }: CallersDeps,
  template: RequestTemplate,
  expect: number,
  keep: string[],
  rows: string[][],
): Promise<string[][]> {
  const pace = { kind: 'all' } as const;
  const plan = { connections: 8, pace, template, rows, repeat: false, expect, keep };
  const { kept } = await load(service, plan);
  return kept.map((members) => {
    if (members === null) throw new BenchError(`${template.path}: an answer is missing.`);
    return members;
  });
}

/** New clients with their id, secret and merchant. */
async function addClients(
  deps: CallersDeps,
  count: number,
): Promise<{ owners: string[]; clients: string[][] }> {
  const { service, merchants, scopes = orderScopes } = deps;
  const owners = Array.from({ length: count }, (_, i) => merchants[i % merchants.length] ?? '');
  const rows = owners.map((no) => [no]);
  const clients = await sendAll(
    deps,
    newClient(service.admin_key, scopes),
    201,
    ['client_id', 'client_secret'],
    rows,
  );
  return { owners, clients };
}

/** New clients, each with a token from the token endpoint. */
async function issueTokens(deps: CallersDeps, count: number): Promise<Caller[]> {
  const { owners, clients } = await addClients(deps, count);
  const tokens = await sendAll(
    deps,
    tokenRequest(deps.scopes ?? orderScopes),
    200,
    ['access_token'],
    clients,
  );
  return owners.map((merchant_no, i) => ({
    merchant_no,
    client_id: clients[i]?.[0] ?? '',
    token: tokens[i]?.[0] ?? '',
  }));
}

const orderScopes = ['merchant_payments.create', 'merchant_payments.read'];

const newClient = (admin_key: string, scopes: readonly string[]): RequestTemplate => ({
  method: 'POST',
  path: '/admin/v1/clients',
  headers: { authorization: `Bearer ${admin_key}`, 'content-type': 'application/json' },
  body: JSON.stringify({
    merchant_no: '{0}',
    type: 'confidential',
    name: 'Bench',
    scopes,
    redirect_uris: [],
  }),
});

/** A request for a token with these scopes, by a client’s id and secret. */
const tokenRequest = (scopes: readonly string[]): RequestTemplate => ({
  method: 'POST',
  path: '/oauth/token',
  headers: { 'content-type': 'application/x-www-form-urlencoded' },
  body: `grant_type=client_credentials&client_id={0}&client_secret={1}&scope=${scopes.join('+')}`,
});

/** A request for a token for orders, by a client’s id and secret. */
export const newToken: RequestTemplate = tokenRequest(orderScopes);

/**
 * Gives each of these callers an unused token, which no cache contains. It copies the rows in the database,
 * because requesting tens of thousands of tokens would be a benchmark of its own.
 */
async function copyTokens(db: Database, callers: readonly Caller[]): Promise<Caller[]> {
  const fresh = callers.map((caller) => ({ ...caller, token: randomBytes(32).toString('base64url') }));
  await db.query(
    `WITH known AS (SELECT DISTINCT ON (client_id) * FROM oauth_tokens WHERE client_id = ANY($2))
     INSERT INTO oauth_tokens (token_hash, client_id, user_id, grant_hash, scopes, payload, created_at, expires_at)
     SELECT fresh.hash, client_id, user_id, grant_hash, scopes, payload, created_at, expires_at
     FROM unnest($1::bytea[], $2::text[]) AS fresh (hash, client_id) JOIN known USING (client_id)`,
    [
      fresh.map(({ token }) => createHash('sha256').update(token).digest()),
      fresh.map(({ client_id }) => client_id),
    ],
  );
  await db.query('ANALYZE oauth_tokens');
  return fresh;
}
