import type { IncomingMessage, ServerResponse } from 'node:http';
import { errors, type KoaContextWithOIDC, type Provider } from 'oidc-provider';
import { AppError, type ErrorDetail } from '../base/errors.ts';
import { tokenPath } from './metadata.ts';

/** What a token request came to, still to be sent. */
export interface TokenAnswer {
  client_id: string;
  body: unknown;
}

/**
 * Lets the library answer a token request and gives back what it says instead of sending it, so that errors, headers
 * and logs are those of the rest of the service.
 *
 * @throws AppError a code of RFC 6749, or `merchant_inactive` (D-163 to D-167)
 */
export type AnswerToken = (req: IncomingMessage, res: ServerResponse) => Promise<TokenAnswer>;

export function tokenEndpoint(provider: Provider): AnswerToken {
  const contexts = new WeakMap<IncomingMessage, KoaContextWithOIDC>();
  const failures = new WeakMap<IncomingMessage, Error>();
  const note = ({ req }: KoaContextWithOIDC, error: Error): void => {
    failures.set(req, error);
  };
  provider.on('grant.error', note);
  provider.on('server_error', note);
  provider.use(async (ctx, next) => {
    if (ctx.path !== tokenPath) {
      await next();
      return;
    }
    ctx.respond = false;
    ctx.req.headers.accept = 'application/json';
    await next();
    for (const name of ctx.res.getHeaderNames()) ctx.res.removeHeader(name);
    contexts.set(ctx.req, ctx as KoaContextWithOIDC);
  });
  const answer = provider.callback();

  return async (req, res) => {
    await answer(req, res);
    const ctx = contexts.get(req);
    const failure = failures.get(req);
    if (ctx === undefined) throw new AppError('server_error');
    if (failure !== undefined) throw translated(failure, ctx);
    return { client_id: ctx.oidc.client?.clientId ?? '', body: ctx.body };
  };
}

const codes = [
  'invalid_client',
  'invalid_request',
  'invalid_scope',
  'unauthorized_client',
  'unsupported_grant_type',
] as const;

/** The library's error in our words, and the cases that D-165 decides differently. */
function translated(failure: Error, ctx: KoaContextWithOIDC): Error {
  if (!(failure instanceof errors.OIDCProviderError)) return failure;
  if (failure.error_detail === 'request entity too large') return new AppError('request_too_large');
  const code = codes.find((known) => known === failure.error);
  if (code === undefined) return failure;
  if (code === 'invalid_client') return notAuthenticated(ctx);
  const detail: ErrorDetail = {};
  if (failure.error_description !== undefined) detail.description = failure.error_description;
  return new AppError(code, detail);
}

/** A missing secret is a missing parameter, and a public client has none to be wrong (D-165). */
function notAuthenticated({ oidc, headers }: KoaContextWithOIDC): AppError {
  if (oidc.client?.tokenEndpointAuthMethod === 'none') return new AppError('unauthorized_client');
  if (oidc.params?.client_secret === undefined && headers.authorization === undefined) {
    return new AppError('invalid_request', { description: 'client_secret is missing.' });
  }
  return new AppError('invalid_client');
}
