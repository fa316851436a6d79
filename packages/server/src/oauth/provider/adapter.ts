import type { Adapter, AdapterPayload } from 'oidc-provider';
import { type Clock, later, seconds } from '../../base/time/clock.ts';
import type { Database } from '../../base/pg/index.ts';
import type { LiveCache } from '../../base/live/live-cache.ts';
import { tokenHash } from '../../base/secret-box.ts';
import type { Client, FindClient } from '../clients/index.ts';
import {
  deleteByGrant,
  deleteToken,
  insertGrantedToken,
  selectToken,
  createTokenWriter,
  type WriteToken,
} from '../tokens/index.ts';
import { errors } from './library.ts';
import {
  consumeArtifact,
  deleteArtifact,
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
 * Where the authorization server keeps its things: PostgreSQL. Ids are hashed before they are stored and left out
 * of what is stored with them, for most of them open something: tokens, codes, session cookies (R-326, D-168).
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

/** A payload as it is stored: without the id, which `restored` puts back. */
function stored({ jti: _jti, ...payload }: AdapterPayload): Record<string, unknown> {
  return payload;
}

const restored = (id: string, payload: Record<string, unknown>): AdapterPayload => ({ ...payload, jti: id });

const nothing = (): Promise<undefined> => Promise.resolve(undefined);

/** Takes back everything that came of one authorization, and tells every process (D-171). */
function revokeGrant({ db, cache }: AdapterDeps, grantId: string): Promise<void> {
  return announced({ db, cache }, (tx) => deleteByGrant(tx, tokenHash(grantId)));
}

async function announced(
  { db, cache }: Pick<AdapterDeps, 'db' | 'cache'>,
  work: Parameters<Database['transaction']>[0],
): Promise<void> {
  await db.transaction(async (tx) => {
    await work(tx);
    await cache.announce(tx);
  });
  cache.clear();
}

/** Access tokens of both grants; the bearer check reads the same rows. */
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
        scopes: (payload.scope ?? '').split(' ').filter((scope) => scope !== ''),
        payload: stored(payload),
        created_at: now,
        expires_at: later(now, seconds(expiresIn)),
      };
      if (grant_hash === null) await writeToken(token);
      // Where it is not stored its grant was taken back while the token was being made.
      else if (!(await insertGrantedToken(db, { ...token, grant_hash })))
        throw new errors.InvalidGrant('the grant is gone');
    },
    async find(id) {
      const row = await selectToken(db, tokenHash(id));
      return row?.payload.kind === model ? restored(id, row.payload) : undefined;
    },
    destroy: (id) => announced(deps, (tx) => deleteToken(tx, tokenHash(id))),
    revokeByGrantId: (grantId) => revokeGrant(deps, grantId),
    consume: nothing,
    findByUid: nothing,
    findByUserCode: nothing,
  };
}

/** What goes when its grant is revoked. Sessions and interactions name grants as well, but outlive them. */
const ofGrant = new Set(['AuthorizationCode', 'RefreshToken', 'Grant']);

/**
 * Sessions, interactions, codes and grants. A grant belongs to itself, so that revoking it removes it as well. What
 * is found by uid is good for reading alone: its id is not known.
 */
function artifactAdapter(deps: AdapterDeps, model: string): Adapter {
  const { db, clock } = deps;
  return {
    async upsert(id, payload, expiresIn) {
      const { grantId = id, uid } = payload;
      await upsertArtifact(db, {
        model,
        id_hash: tokenHash(id),
        grant_hash: ofGrant.has(model) ? tokenHash(grantId) : null,
        uid_hash: hashOrNull(uid),
        payload: stored(payload),
        consumed_at: null,
        expires_at: expiresIn === undefined ? null : later(clock.real(), seconds(expiresIn)),
      });
    },
    async find(id) {
      const row = await selectArtifact(db, model, tokenHash(id));
      if (row === null || (row.expires_at !== null && row.expires_at <= clock.real())) return undefined;
      const { payload, consumed_at } = row;
      const consumed = consumed_at === null ? {} : { consumed: Math.floor(consumed_at.getTime() / 1_000) };
      return restored(id, { ...payload, ...consumed });
    },
    async findByUid(uid) {
      const row = await selectArtifactByUid(db, model, tokenHash(uid));
      return row?.payload;
    },
    async consume(id) {
      if (await consumeArtifact(db, model, tokenHash(id), clock.real())) return;
      // Two used it at once: what the other got goes as well (D-171).
      const row = await selectArtifact(db, model, tokenHash(id));
      if (typeof row?.payload.grantId === 'string') await revokeGrant(deps, row.payload.grantId);
      throw new errors.InvalidGrant('already consumed');
    },
    destroy: (id) => deleteArtifact(db, model, tokenHash(id)),
    revokeByGrantId: (grantId) => revokeGrant(deps, grantId),
    findByUserCode: nothing,
  };
}

/** Clients are ours: the library reads them, through the cache, and never writes. */
function clientAdapter(findClient: FindClient): Adapter {
  const refuse = (): Promise<never> => Promise.reject(new Error('clients are not registered here'));
  return {
    async find(id) {
      const client = await findClient(id);
      return client === null || client.disabled ? undefined : metadataOf(client);
    },
    upsert: refuse,
    destroy: refuse,
    consume: refuse,
    revokeByGrantId: refuse,
    findByUid: nothing,
    findByUserCode: nothing,
  };
}

/** A client as the library knows it. The digest stands in for the secret, which nobody has (client.ts compares). */
function metadataOf(client: Client): AdapterPayload {
  return {
    client_id: client.client_id,
    client_name: client.name,
    ...(client.redirect_uris.length === 0
      ? { grant_types: ['client_credentials'], response_types: [], redirect_uris: [] }
      : {
          grant_types: ['client_credentials', 'authorization_code'],
          response_types: ['code'],
          redirect_uris: client.redirect_uris,
        }),
    // Every client is a sector of its own (D-174). The address only stands for it.
    sector_identifier_uri: `https://${client.client_id.toLowerCase().replaceAll('_', '-')}.client.invalid/`,
    ...(client.secret_digest === null
      ? { token_endpoint_auth_method: 'none' }
      : {
          token_endpoint_auth_method: 'client_secret_basic',
          client_secret: client.secret_digest.toString('base64url'),
        }),
  };
}
