/** Stores what the library `oidc-provider` keeps: tokens, codes, grants, sessions and interactions. */
import type { Adapter, AdapterPayload } from 'oidc-provider';
import { type Clock, later, seconds } from '../../base/time/clock.ts';
import type { Database, Queryable } from '../../base/pg/index.ts';
import type { LiveCache } from '../../base/caches/live-cache.ts';
import { tokenHash } from '../../base/secret-box.ts';
import { type Client, type FindClient, mayCallFrom, userScopes } from '../clients/index.ts';
import {
  deleteByGrant,
  deleteToken,
  insertGrantedToken,
  selectToken,
  createTokenWriter,
  type WriteToken,
} from '../tokens/index.ts';
import { errors } from './load-library.ts';
import { inLibraryTime } from './library-time.ts';
import { callingProgram } from './program-address.ts';
import {
  consumeArtifact,
  deleteArtifact,
  insertOnce,
  selectArtifact,
  selectArtifactByUid,
  upsertArtifact,
} from './artifact.sql.ts';

export interface AdapterDeps {
  db: Database;
  cache: LiveCache;
  clock: Clock;
  findClient: FindClient;
}

/**
 * The library's storage in PostgreSQL. Invariant: an id is stored only as its SHA-256, and is left out of the payload,
 * because most ids are secrets: tokens, codes, session cookies (R-326, D-168).
 */
export function createAdapter(deps: AdapterDeps): (model: string) => Adapter {
  const writeToken = createTokenWriter(deps.db);
  return (model) => {
    if (model === 'Client') return clientAdapter(deps.findClient);
    if (model === 'ClientCredentials' || model === 'AccessToken')
      return tokenAdapter(deps, model, writeToken);
    return artifactAdapter(deps, model);
  };
}

const hashOrNull = (text: string | undefined): Buffer | null => (text === undefined ? null : tokenHash(text));

/** A payload as it is stored: without the id, which `withId` adds again. */
function withoutId({ jti: _jti, ...payload }: AdapterPayload): Record<string, unknown> {
  return payload;
}

const withId = (id: string, payload: Record<string, unknown>): AdapterPayload => ({ ...payload, jti: id });

/** A payload with its end as the library's clock shows it, because the library compares the two. */
const inTime = (clock: Clock, payload: Record<string, unknown>, expires_at: Date | null) =>
  expires_at === null ? payload : { ...payload, exp: inLibraryTime(clock, expires_at) };

/** For the calls of the library's interface that have nothing to do here. */
const doNothing = (): Promise<undefined> => Promise.resolve(undefined);

/** Deletes all of one authorization, and tells every process (D-171). */
function revokeGrant({ db, cache }: AdapterDeps, grantId: string): Promise<void> {
  return writeAndAnnounce({ db, cache }, (tx) => deleteByGrant(tx, tokenHash(grantId)));
}

/** Runs a transaction after which no process uses a token from its cache (D-169). */
async function writeAndAnnounce(
  { db, cache }: Pick<AdapterDeps, 'db' | 'cache'>,
  work: Parameters<Database['transaction']>[0],
): Promise<void> {
  await db.transaction(async (tx) => {
    await work(tx);
    await cache.announce(tx);
  });
  cache.clear();
}

/** Access tokens of both grants. The bearer check reads the same rows. */
function tokenAdapter(deps: AdapterDeps, model: string, writeToken: WriteToken): Adapter {
  const { db, clock } = deps;
  return {
    async upsert(id, payload, expiresIn = 0) {
      const now = clock.real();
      const grant_hash = hashOrNull(payload.grantId);
      const token = {
        token_hash: tokenHash(id),
        client_id: payload.clientId ?? '',
        user_id: payload.accountId ?? null,
        grant_hash,
        client_generation: Number(payload.extra?.generation ?? 0),
        scopes: (payload.scope ?? '').split(' ').filter((scope) => scope !== ''),
        payload: withoutId(payload),
        created_at: now,
        expires_at: later(now, seconds(expiresIn)),
      };
      if (grant_hash === null) await writeToken(token);
      // It is not stored where its grant was revoked while the token was made.
      else if (!(await insertGrantedToken(db, { ...token, grant_hash })))
        throw new errors.InvalidGrant('the grant is gone');
    },
    async find(id) {
      const row = await selectToken(db, tokenHash(id));
      if (row?.payload.kind !== model) return undefined;
      return withId(id, inTime(clock, row.payload, row.expires_at));
    },
    destroy: (id) => writeAndAnnounce(deps, (tx) => deleteToken(tx, tokenHash(id))),
    revokeByGrantId: (grantId) => revokeGrant(deps, grantId),
    consume: doNothing,
    findByUid: doNothing,
    findByUserCode: doNothing,
  };
}

/** Deleted with its grant. Sessions and interactions name grants too, but outlive them. */
const endsWithGrant = new Set(['AuthorizationCode', 'RefreshToken', 'Grant']);

/**
 * Sessions, interactions, codes and grants. A grant belongs to itself, so that revoking it deletes it too. What is
 * found by uid can only be read, because its id is not known. Invariant: a code and an assertion are used once (D-171).
 */
function artifactAdapter(deps: AdapterDeps, model: string): Adapter {
  const { db, clock } = deps;
  return {
    async upsert(id, payload, expiresIn) {
      const { grantId = id, uid } = payload;
      const artifact = {
        model,
        id_hash: tokenHash(id),
        grant_hash: endsWithGrant.has(model) ? tokenHash(grantId) : null,
        uid_hash: hashOrNull(uid),
        payload: withoutId(payload),
        consumed_at: null,
        expires_at: expiresIn === undefined ? null : later(clock.real(), seconds(expiresIn)),
      };
      if (model !== 'ReplayDetection') return upsertArtifact(db, artifact);
      // The library looks first and stores then; of two requests at the same time only one may pass.
      if (!(await insertOnce(db, artifact, clock.real()))) {
        throw new errors.InvalidClientAuth('the assertion was used before');
      }
    },
    async find(id) {
      const row = await selectArtifact(db, model, tokenHash(id));
      if (row === null || (row.expires_at !== null && row.expires_at <= clock.real())) return undefined;
      const { consumed_at, expires_at } = row;
      const payload = model === 'Grant' ? await asApproved(deps, row.payload) : row.payload;
      const consumed = consumed_at === null ? {} : { consumed: Math.floor(consumed_at.getTime() / 1_000) };
      return withId(id, { ...inTime(clock, payload, expires_at), ...consumed });
    },
    async findByUid(uid) {
      const row = await selectArtifactByUid(db, model, tokenHash(uid));
      return row === null ? undefined : inTime(clock, row.payload, row.expires_at);
    },
    async consume(id) {
      if (await consumeArtifact(db, model, tokenHash(id), clock.real())) return;
      // It was used before: the token of that use ends too (D-171).
      const row = await selectArtifact(db, model, tokenHash(id));
      if (typeof row?.payload.grantId === 'string') await revokeGrant(deps, row.payload.grantId);
      throw new errors.InvalidGrant('already consumed');
    },
    destroy: (id) => deleteArtifact(db, model, tokenHash(id)),
    revokeByGrantId: (grantId) => revokeGrant(deps, grantId),
    findByUserCode: doNothing,
  };
}

/** A grant with the scopes that its client has still: a code gives no others, so that no token gains them later (D-1336). */
async function asApproved(
  { findClient }: Pick<AdapterDeps, 'findClient'>,
  grant: { clientId?: string; openid?: { scope?: string } },
): Promise<Record<string, unknown>> {
  const client = await findClient(grant.clientId ?? '');
  const granted = grant.openid?.scope?.split(' ') ?? [];
  const scope = client?.scopes.filter((approved) => granted.includes(approved)).join(' ') ?? '';
  return { ...grant, openid: { ...grant.openid, scope } };
}

/** Ends an authorization code that no client has received. */
export const endCode = (db: Queryable, code: string): Promise<void> =>
  deleteArtifact(db, 'AuthorizationCode', tokenHash(code));

/** Clients: the library only reads them, through our cache. */
function clientAdapter(findClient: FindClient): Adapter {
  const refuse = (): Promise<never> => Promise.reject(new Error('clients are not registered here'));
  return {
    async find(id) {
      const client = await findClient(id);
      if (client === null || client.disabled) return undefined;
      const program = callingProgram();
      if (program === undefined || mayCallFrom(client, program.address)) return metadataOf(client);
      // From another address the client is unknown, so that a stranger does not learn whether its secret is right.
      program.onRefused(client.client_id);
      return undefined;
    },
    upsert: refuse,
    destroy: refuse,
    consume: refuse,
    revokeByGrantId: refuse,
    findByUid: doNothing,
    findByUserCode: doNothing,
  };
}

/**
 * A client as the library knows it. The digest takes the place of the secret, and client-secret.ts compares it. Without an
 * approved scope that a person can grant, it has no redirect URI: any merchant's developer can create a client, and errors
 * go to its redirect URI too, so browsers could be sent anywhere in the name of the platform (D-936).
 */
function metadataOf(client: Client): AdapterPayload {
  const isApproved = userScopes.some((scope) => client.scopes.includes(scope));
  return {
    client_id: client.client_id,
    client_name: client.name,
    token_generation: client.token_generation,
    ...(client.redirect_uris.length === 0 || !isApproved
      ? { grant_types: ['client_credentials'], response_types: [], redirect_uris: [] }
      : {
          grant_types: ['client_credentials', 'authorization_code'],
          response_types: ['code'],
          redirect_uris: client.redirect_uris,
        }),
    // A separate sector, so that each client sees another `sub` (D-174). Nothing is fetched from this address.
    sector_identifier_uri: `https://${client.client_id.toLowerCase().replaceAll('_', '-')}.client.invalid/`,
    ...authenticationOf(client),
  };
}

function authenticationOf({ jwks, secret_digest }: Client): Partial<AdapterPayload> {
  if (jwks !== null) return { token_endpoint_auth_method: 'private_key_jwt', jwks };
  if (secret_digest === null) return { token_endpoint_auth_method: 'none' };
  return {
    token_endpoint_auth_method: 'client_secret_basic',
    client_secret: secret_digest.toString('base64url'),
  };
}
