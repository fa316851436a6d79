import type { IncomingMessage } from 'node:http';
import type { Clock } from '../base/clock.ts';
import type { Database } from '../base/db.ts';
import { AppError } from '../base/errors.ts';
import type { LiveCache } from '../base/live-cache.ts';
import { tokenHash } from '../base/secret-box.ts';
import type { FindMerchant } from '../merchants/read-merchants.ts';
import { createFindClient } from './clients.ts';
import { type BearerToken, selectBearerToken } from './oauth.sql.ts';
import { isScope, type Scope } from './scopes.ts';

/** Whom a request acts for. */
export interface Caller {
  client_id: string;
  merchant_id: string;
  /** The person who authorized it; null for the client-credentials grant. */
  user_id: string | null;
  /** What the token may do: its scopes as far as they are approved now (D-169). */
  scopes: Scope[];
}

export interface Needs {
  scope: Scope;
  /** Which tokens the call accepts: of the client-credentials grant, authorized by a user, or both. */
  kind: 'client' | 'user' | 'any';
}

/**
 * Checks the access token of a request, in this order (D-011): token, kind of grant, scope, merchant.
 *
 * @throws AppError `invalid_token`, `client_credentials_required` or `user_authorization_required`,
 *   `insufficient_scope`, `merchant_not_bound` or `merchant_inactive`
 */
export type Bearer = (request: Pick<IncomingMessage, 'rawHeaders'>, needs: Needs) => Promise<Caller>;

export interface BearerDeps {
  db: Database;
  cache: LiveCache;
  clock: Clock;
  findMerchant: FindMerchant;
}

export function createBearer({ db, cache, clock, findMerchant }: BearerDeps): Bearer {
  const findClient = createFindClient(db, cache);
  /** Knows tokens by their hash; unknown ones are not remembered, or guesses would drive out what is known. */
  const findToken = cache.keyed(async (hash: string): Promise<BearerToken> => {
    const token = await selectBearerToken(db.lookups, Buffer.from(hash, 'base64url'));
    if (token === null) throw new AppError('invalid_token');
    return token;
  });

  return async ({ rawHeaders }, needs) => {
    const text = sentToken(rawHeaders);
    if (text === null) throw new AppError('invalid_token');
    const token = await findToken(tokenHash(text).toString('base64url'));
    const client = await findClient(token.client_id);
    if (clock.real() >= token.expires_at || client === null || client.disabled) {
      throw new AppError('invalid_token');
    }
    refuseWrongKind(token, needs);
    const scopes = client.scopes.filter((scope) => isScope(scope) && token.scopes.includes(scope));
    if (!scopes.includes(needs.scope)) throw new AppError('insufficient_scope', { scope: needs.scope });
    const { merchant_id } = client;
    if (merchant_id === null) throw new AppError('merchant_not_bound');
    const merchant = await findMerchant(merchant_id);
    if (merchant?.status !== 'active') throw new AppError('merchant_inactive');
    return { client_id: client.client_id, merchant_id, user_id: token.user_id, scopes };
  };
}

/**
 * The token of the one `Authorization: Bearer` header: nothing is read from query or body, and of two
 * headers none counts (H-14). Null where there is none that could be ours: 256 bits in base64url.
 */
function sentToken(rawHeaders: string[]): string | null {
  const values = rawHeaders.filter(
    (_, i) => rawHeaders[i - 1]?.toLowerCase() === 'authorization' && i % 2 === 1,
  );
  const [value, second] = values;
  if (value === undefined || second !== undefined) return null;
  return /^bearer +([\w-]{43})$/i.exec(value.trim())?.[1] ?? null;
}

/** Tokens of the two grants never stand in for one another (R-308, D-172). */
function refuseWrongKind({ user_id }: BearerToken, { kind }: Needs): void {
  if (kind === 'client' && user_id !== null) throw new AppError('client_credentials_required');
  if (kind === 'user' && user_id === null) throw new AppError('user_authorization_required');
}
