/** Checks the access token of a request. */
import type { IncomingMessage } from 'node:http';
import type { Clock } from '../../base/time/clock.ts';
import type { Database } from '../../base/pg/index.ts';
import { AppError } from '../../base/errors.ts';
import type { Logger } from '../../base/log.ts';
import type { LiveCache } from '../../base/caches/live-cache.ts';
import { tokenHash } from '../../base/secret-box.ts';
import type { FindMerchant } from '../../merchants/index.ts';
import { type Client, createFindClient, isScope, mayCallFrom, type Scope } from '../clients/index.ts';
import { type BearerToken, selectBearerToken } from './token.sql.ts';

/** The client that sent a request, its merchant and its user. */
export interface Caller {
  client_id: string;
  merchant_id: string;
  /** The person who authorized the client; null for the client-credentials grant. */
  user_id: string | null;
  /** The scopes of the token that are still approved for the client (D-169). */
  scopes: Scope[];
}

/** A caller with a token that a user authorized. */
export interface UserCaller extends Caller {
  user_id: string;
}

/** What a call needs of a token. */
export interface Needs {
  scope: Scope;
  /** The accepted tokens: of the client-credentials grant, authorized by a user, or both. */
  kind: 'client' | 'user' | 'any';
}

/** A request as the check reads it. The check sets `client_id` before later refusals, so that logs have it too. */
export interface BearerRequest {
  raw: Pick<IncomingMessage, 'rawHeaders'>;
  /** The full address of the sender. */
  client_address: string;
  log: Pick<Logger, 'warn'>;
  client_id: string | null;
}

/**
 * Checks the access token of a request, in this order (R-324, D-011): token, kind of grant, scope, merchant. The client
 * decides the merchant; without an active one the call is refused (R-336, D-173).
 *
 * @throws AppError `invalid_token`, `client_credentials_required` or `user_authorization_required`,
 *   `insufficient_scope`, `merchant_not_bound` or `merchant_inactive`
 */
export type Bearer = <N extends Needs>(
  request: BearerRequest,
  needs: N,
) => Promise<N['kind'] extends 'user' ? UserCaller : Caller>;

/** The user who authorized a token. The client may belong to no merchant. */
export interface Subject {
  client_id: string;
  user_id: string;
  scopes: Scope[];
}

/** The two checks: for calls about a merchant, and for calls about the user only. */
export interface BearerChecks {
  bearer: Bearer;
  subjectBearer: (request: BearerRequest, scope: Scope) => Promise<Subject>;
}

export interface BearerDeps {
  db: Database;
  cache: LiveCache;
  clock: Clock;
  findMerchant: FindMerchant;
}

export function createBearerChecks({ db, cache, clock, findMerchant }: BearerDeps): BearerChecks {
  const findClient = createFindClient(db, cache);
  /** Caches tokens by their hash. Unknown tokens are not cached, or guesses would displace the known ones. */
  const findToken = cache.keyed(async (hash: string): Promise<BearerToken> => {
    const token = await selectBearerToken(db.lookups, Buffer.from(hash, 'base64url'));
    if (token === null) throw new AppError('invalid_token');
    return token;
  });

  /**
   * Checks token, kind of grant and scope, exactly that of the call, but not the
   * merchant. A token has the scopes that it was issued with and that are still approved, so it never gains one (R-318,
   * D-169).
   */
  async function checkToken(
    request: BearerRequest,
    needs: Needs,
  ): Promise<{ client: Client; user_id: string | null; scopes: Scope[] }> {
    const text = sentToken(request.raw.rawHeaders);
    if (text === null) throw new AppError('invalid_token');
    const token = await findToken(tokenHash(text).toString('base64url'));
    const client = await findClient(token.client_id);
    if (clock.real() >= token.expires_at || client === null || client.disabled) {
      throw new AppError('invalid_token');
    }
    // The client's tokens were ended since this one was issued (D-170).
    if (token.client_generation !== client.token_generation) throw new AppError('invalid_token');
    // Like an unknown token, so that a stranger does not learn that the token is right.
    if (!mayCallFrom(client, request.client_address)) {
      const { client_id } = client;
      const what = 'a token was refused, because the address is in none of the allowed_cidrs of its client';
      request.log.warn({ client_id, address: request.client_address }, what);
      throw new AppError('invalid_token');
    }
    request.client_id = client.client_id;
    refuseWrongKind(token, needs);
    const scopes = client.scopes.filter((scope) => isScope(scope) && token.scopes.includes(scope));
    if (!scopes.includes(needs.scope)) throw new AppError('insufficient_scope', { scope: needs.scope });
    return { client, user_id: token.user_id, scopes };
  }

  /** Every call checks this, so an older token helps no inactive merchant. */
  async function requireActiveMerchant(merchant_id: string): Promise<void> {
    const merchant = await findMerchant(merchant_id);
    if (merchant?.status !== 'active') throw new AppError('merchant_inactive');
  }

  return {
    bearer: async (request, needs) => {
      const { client, user_id, scopes } = await checkToken(request, needs);
      const { client_id, merchant_id } = client;
      if (merchant_id === null) throw new AppError('merchant_not_bound');
      await requireActiveMerchant(merchant_id);
      // `checkToken` has refused a call for users without a user.
      return { client_id, merchant_id, user_id, scopes } as UserCaller;
    },
    async subjectBearer(request, scope) {
      const { client, user_id, scopes } = await checkToken(request, { scope, kind: 'user' });
      if (client.merchant_id !== null) await requireActiveMerchant(client.merchant_id);
      return { client_id: client.client_id, user_id: user_id ?? '', scopes };
    },
  };
}

/**
 * The token of the only `Authorization: Bearer` header. Query and body are not read, and two headers count as
 * none (H-14). Null where there is no text of the form of our tokens: 256 bits in base64url.
 */
function sentToken(rawHeaders: string[]): string | null {
  const values = rawHeaders.filter(
    (_, i) => rawHeaders[i - 1]?.toLowerCase() === 'authorization' && i % 2 === 1,
  );
  const [value, second] = values;
  if (value === undefined || second !== undefined) return null;
  return /^bearer +([\w-]{43})$/i.exec(value.trim())?.[1] ?? null;
}

/** A token of one grant is never accepted in place of the other (R-308, R-310, R-321, D-172). */
function refuseWrongKind({ user_id }: BearerToken, { kind }: Needs): void {
  if (kind === 'client' && user_id !== null) throw new AppError('client_credentials_required');
  if (kind === 'user' && user_id === null) throw new AppError('user_authorization_required');
}
