/** The calls that get and end tokens, and the one of user information, which tells who has authorized a token (D-1045). */
import { RevocationRequest, TokenAnswer, TokenRequest, UserInfo } from '../../oauth.ts';
import { anyCall, limited } from '../common-errors.ts';
import { catalogReadLimit, revokeLimit, tokenFailureLimit } from '../rate-limits.ts';
import type { Operation } from '../operation.ts';

export const tokenOperations: readonly Operation[] = [
  {
    id: 'getToken',
    tag: 'Tokens',
    method: 'post',
    place: { at: 'token_endpoint' },
    summary: 'Get an access token',
    description:
      'Exchanges your client credentials for an access token. Keep the token until shortly before it expires ' +
      '(`expires_in`), then request a new one. A token never gets additional scopes: request a new token after an ' +
      'approval. With `authorization_code`, exchanges the code that a person’s browser has brought back for a token of ' +
      'that person. Errors are those of RFC 6749, and `merchant_inactive`.',
    security: { by: 'client_credentials' },
    body: { type: 'application/x-www-form-urlencoded', schema: TokenRequest },
    successes: [{ status: 200, description: 'A token.', schemas: [TokenAnswer] }],
    errors: [
      'invalid_request',
      'unauthorized_client',
      'unsupported_grant_type',
      'invalid_scope',
      'invalid_grant',
      'invalid_client',
      'merchant_inactive',
      'request_timeout',
      'request_too_large',
      'rate_limited',
      'server_error',
      'rate_limit_unavailable',
      'service_unavailable',
    ],
    limits: [tokenFailureLimit],
  },
  {
    id: 'revokeToken',
    tag: 'Tokens',
    method: 'post',
    place: { below: 'base_url', path: '/oauth/revoke' },
    summary: 'End an access token',
    description:
      'Ends a token of your client, for example after a leak, at once (RFC 7009). A token that a person has authorized ' +
      'ends with the other tokens of the same authorization; the person’s consent stays. The answer is also 200 for a ' +
      'token that is unknown or has ended already.',
    security: { by: 'client_credentials' },
    body: { type: 'application/x-www-form-urlencoded', schema: RevocationRequest },
    successes: [{ status: 200, description: 'The token does not exist any more.' }],
    errors: [
      'invalid_request',
      'invalid_client',
      'request_timeout',
      'request_too_large',
      'rate_limited',
      'server_error',
      'rate_limit_unavailable',
      'service_unavailable',
    ],
    limits: [tokenFailureLimit, revokeLimit],
  },
  {
    id: 'readUserInfo',
    tag: 'Tokens',
    method: 'get',
    place: { at: 'userinfo_endpoint' },
    summary: 'Learn who has authorized a token',
    description:
      'Tells an app about the person who has authorized its token, as far as the scopes allow. The client may belong ' +
      'to no merchant.',
    security: { by: 'user_token', scope: 'openid' },
    successes: [{ status: 200, description: 'The person.', schemas: [UserInfo] }],
    errors: [
      ...anyCall,
      ...limited,
      'invalid_token',
      'user_authorization_required',
      'insufficient_scope',
      'merchant_inactive',
    ],
    limits: [catalogReadLimit],
  },
];
