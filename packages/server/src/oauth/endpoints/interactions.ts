/** A person's answer to an authorization request: who asks, for what, and what the person decides. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { InteractionResults, Provider } from 'oidc-provider';
import { type Clock, later, seconds } from '../../base/time/clock.ts';
import type { Database } from '../../base/pg/index.ts';
import { AppError } from '../../base/errors.ts';
import type { Merchant, FindMerchant } from '../../merchants/index.ts';
import type { Client, FindClient, Scope } from '../clients/index.ts';
import { selectConsent } from '../consents/index.ts';
import {
  errors,
  fromLibraryTime,
  grantableScopes,
  lifetimes_s,
  mayAct,
  type Visitor,
} from '../provider/index.ts';

/** An authorization request that waits for the person's answer. */
export interface PendingRequest {
  uid: string;
  client: Client;
  merchant: Merchant | null;
  /** The requested scopes that are approved for the client. */
  scopes: Scope[];
  redirect_uri: string;
  /** In the database's time, as sign-ins. */
  asked_at: Date;
  /** `login`: the person must sign in again. `consent`: the person is asked although they allowed it before. */
  prompts: string[];
}

export interface InteractionDeps {
  clock: Clock;
  db: Database;
  /** The library as it is now. */
  provider: () => Promise<Provider>;
  findClient: FindClient;
  findMerchant: FindMerchant;
}

/** Request and reply of Fastify, each with the object of Node.js that it wraps. */
interface Raw<T> {
  raw: T;
}
type Req = Raw<IncomingMessage>;
type Res = Raw<ServerResponse>;

export interface Interactions {
  /**
   * The request behind a page.
   *
   * @throws AppError `authorization_expired` where it has expired or belongs to another browser;
   *   `invalid_authorization_request` where its client may not make it any more
   */
  find(request: Req, reply: Res, uid: string): Promise<PendingRequest>;
  wantsNewSignIn(asked: PendingRequest, visitor: Visitor): boolean;
  /** Whether the person has allowed all of it before, so that the page is not shown. */
  isAllowed(asked: PendingRequest, visitor: Visitor): Promise<boolean>;
  /** Ends the interaction; returns the address of the redirect. */
  allow(request: Req, reply: Res, asked: PendingRequest, visitor: Visitor): Promise<string>;
  deny(request: Req, reply: Res): Promise<string>;
}

export function createInteractions({
  clock,
  db,
  provider,
  findClient,
  findMerchant,
}: InteractionDeps): Interactions {
  /** Another request of the browser can end the interaction at any time. */
  const call = async <T>(ask: (library: Provider) => Promise<T>): Promise<T> => {
    try {
      return await ask(await provider());
    } catch (error) {
      if (error instanceof errors.SessionNotFound) throw new AppError('authorization_expired');
      throw error;
    }
  };
  const finish = ({ raw: req }: Req, { raw: res }: Res, result: InteractionResults): Promise<string> =>
    call((library) => library.interactionResult(req, res, result, { mergeWithLastSubmission: false }));

  return {
    async find(request, reply, uid) {
      const { jti, params, prompt, exp } = await call((library) =>
        library.interactionDetails(request.raw, reply.raw),
      );
      // The cookie names the interaction, and the address must name the same one.
      if (jti !== uid) throw new AppError('authorization_expired');
      const { client_id, scope = '', redirect_uri = '', prompt: wanted } = params as Record<string, string>;
      const client = await findClient(client_id ?? '');
      if (client === null || client.disabled || !(await mayAct(client, findMerchant))) {
        throw new AppError('invalid_authorization_request');
      }
      // The library has checked the address and the scopes, but before the person was asked (D-1247, D-1248).
      if (!client.redirect_uris.includes(redirect_uri)) throw new AppError('invalid_authorization_request');
      const merchant = client.merchant_id === null ? null : await findMerchant(client.merchant_id);
      return {
        uid,
        client,
        merchant,
        scopes: stillGrantable(client, scope),
        redirect_uri,
        // Its end is kept in the database's time, its beginning in that of the machine that it came to (D-1249).
        asked_at: later(fromLibraryTime(clock, exp), -seconds(lifetimes_s.Interaction)),
        prompts: [...(wanted ?? '').split(' '), ...(prompt.reasons.includes('max_age') ? ['login'] : [])],
      };
    },
    // The library measures in seconds.
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

function stillGrantable(client: Client, scope: string): Scope[] {
  try {
    return grantableScopes(client, scope.split(' '));
  } catch (error) {
    if (error instanceof errors.InvalidScope) throw new AppError('invalid_authorization_request');
    throw error;
  }
}
