/** Errors that calls share. Each call adds its own. */
import type { ErrorCode } from '../errors.ts';

/** Errors of every call. */
export const anyCall = ['invalid_request', 'server_error', 'service_unavailable'] as const;

/** Additional errors of calls with a rate limit. */
export const limited = ['rate_limited', 'rate_limit_unavailable'] as const;

/** Additional errors of calls with a body. */
export const withBody = ['request_timeout', 'request_too_large', 'unsupported_media_type'] as const;

/** Errors of calls that need a token of a merchant’s server. */
export const merchantCall = [
  ...anyCall,
  ...limited,
  'invalid_token',
  'client_credentials_required',
  'insufficient_scope',
  'merchant_not_bound',
  'merchant_inactive',
] as const satisfies readonly ErrorCode[];

/** Errors of calls that need a token which a person has authorized. */
export const userCall = [
  ...anyCall,
  ...limited,
  'invalid_token',
  'user_authorization_required',
  'insufficient_scope',
  'merchant_not_bound',
  'merchant_inactive',
] as const satisfies readonly ErrorCode[];

/** Errors of calls that accept both kinds of token. */
export const anyTokenCall = [
  ...anyCall,
  ...limited,
  'invalid_token',
  'insufficient_scope',
  'merchant_not_bound',
  'merchant_inactive',
] as const satisfies readonly ErrorCode[];

/** Errors of calls of the buyer’s page. */
export const checkoutCall = [
  ...anyCall,
  ...limited,
  'payment_not_found',
] as const satisfies readonly ErrorCode[];
