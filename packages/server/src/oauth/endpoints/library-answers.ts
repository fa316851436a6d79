/**
 * Answers requests for tokens and for their revocation, and turns the errors of the library into ours (R-314, D-163).
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { KoaContextWithOIDC } from 'oidc-provider';
import { AppError, type ErrorDetail } from '../../base/errors.ts';
import { type CallLibrary, errors } from '../provider/index.ts';

/** The answer to a token request, not sent yet. */
export interface TokenAnswer {
  /** The client that proved itself; null without one. */
  client_id: string | null;
  body: unknown;
}

/**
 * Answers a token request of either grant, or a request to revoke a token.
 *
 * @throws AppError a code of RFC 6749, or `merchant_inactive` (D-165, D-166)
 */
export type AnswerToken = (req: IncomingMessage, res: ServerResponse) => Promise<TokenAnswer>;

export function libraryAnswers(call: CallLibrary): AnswerToken {
  return async (req, res) => {
    const { ctx, failure } = await call(req, res);
    if (failure !== undefined && !isForeignToken(failure)) throw translateError(failure, ctx);
    return { client_id: provenClient(ctx), body: ctx.body };
  };
}

/**
 * A public client proves itself by a token alone: a stranger who only names it would fill the list of its merchant's
 * requests (D-1320).
 */
function provenClient({ oidc: { client, entities } }: KoaContextWithOIDC): string | null {
  const isNamed = client?.tokenEndpointAuthMethod === 'none' && entities.AccessToken === undefined;
  return client === undefined || isNamed ? null : client.clientId;
}

/**
 * Whether a client, which has authenticated, asked to revoke a text in the form of a JWT. No token of Paydesk has that
 * form, so it counts as an unknown token, whose revocation succeeds (RFC 7009 section 2.2).
 */
const isForeignToken = (failure: Error): boolean =>
  failure instanceof errors.OIDCProviderError && failure.error === 'unsupported_token_type';

const codes = [
  'invalid_client',
  'invalid_grant',
  'invalid_request',
  'invalid_scope',
  'unauthorized_client',
  'unsupported_grant_type',
] as const;

/** The error of Paydesk for an error of the library, with the exceptions of D-165. */
function translateError(failure: Error, ctx: KoaContextWithOIDC): Error {
  if (!(failure instanceof errors.OIDCProviderError)) return failure;
  if (failure.error_detail === 'request entity too large') return new AppError('request_too_large');
  const code = codes.find((known) => known === failure.error);
  if (code === undefined) return failure;
  // The reason is not revealed, because the caller may not be the owner of the code.
  if (code === 'invalid_grant') return new AppError('invalid_grant');
  if (code === 'invalid_client') return authenticationError(ctx);
  const detail: ErrorDetail = {};
  if (failure.error_description !== undefined) detail.description = failure.error_description;
  return new AppError(code, detail);
}

/** A missing secret is a missing parameter, and a public client has no secret (R-315, D-165). */
function authenticationError({ oidc, headers }: KoaContextWithOIDC): AppError {
  if (oidc.client?.tokenEndpointAuthMethod === 'none') return new AppError('unauthorized_client');
  const { client_secret, client_assertion } = oidc.params ?? {};
  if (client_secret === undefined && client_assertion === undefined && headers.authorization === undefined) {
    const missing =
      oidc.client?.tokenEndpointAuthMethod === 'private_key_jwt' ? 'client_assertion' : 'client_secret';
    return new AppError('invalid_request', { description: `${missing} is missing.` });
  }
  return new AppError('invalid_client');
}
