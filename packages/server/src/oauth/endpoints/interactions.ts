import type { IncomingMessage, ServerResponse } from 'node:http';
import type { InteractionResults, Provider } from 'oidc-provider';
import type { Database } from '../../base/pg/index.ts';
import { AppError } from '../../base/errors.ts';
import type { Merchant, FindMerchant } from '../../merchants/index.ts';
import type { Client, FindClient, Scope } from '../clients/index.ts';
import { selectConsent } from '../consents/index.ts';
import { errors, actsForSomeone, grantableScopes, type Visitor } from '../provider/index.ts';

/** A request that waits for a person's answer. */
export interface Asked {
  uid: string;
  client: Client;
  merchant: Merchant | null;
  /** What the client asks for and may have. */
  scopes: Scope[];
  redirect_uri: string;
  asked_at: Date;
  /** Whether the client wants the person to sign in anew, or to be asked though it was allowed before. */
  prompts: string[];
}

export interface InteractionDeps {
  db: Database;
  provider: Provider;
  findClient: FindClient;
  findMerchant: FindMerchant;
}

/** A request and its answer, as the framework wraps them. */
interface Raw<T> {
  raw: T;
}
type Req = Raw<IncomingMessage>;
type Res = Raw<ServerResponse>;

export interface Interactions {
  /** The request behind a page. Throws `authorization_expired` where it is over, or another browser's. */
  find(request: Req, reply: Res, uid: string): Promise<Asked>;
  wantsNewSignIn(asked: Asked, visitor: Visitor): boolean;
  /** Whether the person has allowed all of it before and need not be asked. */
  isAllowed(asked: Asked, visitor: Visitor): Promise<boolean>;
  /** Ends the interaction; answers where the browser goes on. */
  allow(request: Req, reply: Res, asked: Asked, visitor: Visitor): Promise<string>;
  deny(request: Req, reply: Res): Promise<string>;
}

export function createInteractions({
  db,
  provider,
  findClient,
  findMerchant,
}: InteractionDeps): Interactions {
  const details = async ({ raw: req }: Req, { raw: res }: Res) => {
    try {
      return await provider.interactionDetails(req, res);
    } catch (error) {
      if (error instanceof errors.SessionNotFound) throw new AppError('authorization_expired');
      throw error;
    }
  };
  const finish = (request: Req, reply: Res, result: InteractionResults): Promise<string> =>
    provider.interactionResult(request.raw, reply.raw, result, { mergeWithLastSubmission: false });

  return {
    async find(request, reply, uid) {
      const { jti, params, prompt, iat } = await details(request, reply);
      // The cookie names the interaction; the address has to agree.
      if (jti !== uid) throw new AppError('authorization_expired');
      const { client_id, scope, redirect_uri, prompt: wanted } = params as Record<string, string>;
      const client = await findClient(client_id ?? '');
      if (client === null || client.disabled || !(await actsForSomeone(client, findMerchant))) {
        throw new AppError('invalid_authorization_request');
      }
      const merchant = client.merchant_id === null ? null : await findMerchant(client.merchant_id);
      return {
        uid,
        client,
        merchant,
        scopes: grantableScopes(client, (scope ?? '').split(' ')),
        redirect_uri: redirect_uri ?? '',
        asked_at: new Date(iat * 1_000),
        prompts: [...(wanted ?? '').split(' '), ...(prompt.reasons.includes('max_age') ? ['login'] : [])],
      };
    },
    // The library counts in seconds.
    wantsNewSignIn: ({ prompts, asked_at }, { signed_in_at }) =>
      prompts.includes('login') && signed_in_at.getTime() < asked_at.getTime(),
    async isAllowed({ client, scopes, prompts }, { user_id }) {
      if (prompts.includes('consent')) return false;
      const consent = await selectConsent(db, user_id, client.client_id);
      return consent !== null && scopes.every((scope) => consent.scopes.includes(scope));
    },
    allow: (request, reply, _asked, { user_id, signed_in_at }) =>
      finish(request, reply, {
        login: { accountId: user_id, ts: Math.floor(signed_in_at.getTime() / 1_000), remember: false },
        consent: {},
      }),
    deny: (request, reply) =>
      finish(request, reply, { error: 'access_denied', error_description: 'The person did not allow it.' }),
  };
}
