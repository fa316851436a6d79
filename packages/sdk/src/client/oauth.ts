/** Helpers for tokens that a person authorizes: authorization code with PKCE (RFC 7636). */
import { createHash, randomBytes } from 'node:crypto';
import type { JsonObject } from './exact-json.ts';
import { PaydeskError } from '../paydesk-error.ts';

export interface AuthorizationInput {
  /** One of the redirect addresses of your client. */
  redirect_uri: string;
  /** Scopes that the person should approve, such as `orders.create payments.create`. */
  scope: string | readonly string[];
  /** Default: a new random value. */
  state?: string;
  /** For `openid`: comes back in the ID token. */
  nonce?: string;
}

/** Where to send the browser, and what to keep in the person’s session until the browser comes back. */
export interface AuthorizationRequest {
  url: string;
  /** Compare it with `state` of the address that the browser comes back to. */
  state: string;
  /** Goes to `exchangeCode`. Keep it on the server. */
  code_verifier: string;
}

export interface CodeInput {
  /** `code` of the address that the browser came back to. */
  code: string;
  /** The same as in the authorization. */
  redirect_uri: string;
  code_verifier: string;
}

/** A token of a person. It is a secret of that person: keep it on the server. */
export interface UserToken {
  access_token: string;
  token_type: string;
  /** Seconds. */
  expires_in: number;
  scope?: string;
  id_token?: string;
}

export interface UserInfo {
  sub: string;
  [claim: string]: unknown;
}

/** The address of the authorization, with a new verifier and state. Both are random (256 bits). */
export function authorizationRequest(
  authorization_endpoint: string,
  client_id: string,
  { redirect_uri, scope, state = random(), nonce }: AuthorizationInput,
): AuthorizationRequest {
  const code_verifier = random();
  const url = new URL(authorization_endpoint);
  const parameters = {
    response_type: 'code',
    client_id,
    redirect_uri,
    scope: typeof scope === 'string' ? scope : scope.join(' '),
    state,
    code_challenge: createHash('sha256').update(code_verifier).digest('base64url'),
    code_challenge_method: 'S256',
    ...(nonce === undefined ? {} : { nonce }),
  };
  for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value);
  return { url: url.href, state, code_verifier };
}

const random = (): string => randomBytes(32).toString('base64url');

/** Checks the members that callers depend on. */
export function asUserToken(answer: JsonObject): UserToken {
  const { access_token, token_type, expires_in } = answer;
  const is_token =
    typeof access_token === 'string' && typeof token_type === 'string' && typeof expires_in === 'number';
  if (!is_token) {
    throw new PaydeskError({ status: 200, code: 'invalid_response', description: 'not a token' });
  }
  return answer as unknown as UserToken;
}
