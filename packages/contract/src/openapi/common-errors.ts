/** Errors that calls share, by what they have in common. Each call adds its own. */
import type { ErrorCode } from '../errors.ts';

/** Any call: its query may be malformed, and something may go wrong on our side. */
export const anyCall = ['invalid_request', 'server_error', 'service_unavailable'] as const;

/** Calls with a limit. */
export const limited = ['rate_limited', 'rate_limit_unavailable'] as const;

/** Calls with a body. */
export const withBody = ['request_timeout', 'request_too_large', 'unsupported_media_type'] as const;

/** Calls of a merchant's server. */
export const merchantCall = [
  ...anyCall,
  ...limited,
  'invalid_token',
  'client_credentials_required',
  'insufficient_scope',
  'merchant_not_bound',
  'merchant_inactive',
] as const satisfies readonly ErrorCode[];

/** Calls that a program makes for a person. */
export const userCall = [
  ...anyCall,
  ...limited,
  'invalid_token',
  'user_authorization_required',
  'insufficient_scope',
  'merchant_not_bound',
  'merchant_inactive',
] as const satisfies readonly ErrorCode[];

/** Calls that tokens of both kinds may make. */
export const anyTokenCall = [
  ...anyCall,
  ...limited,
  'invalid_token',
  'insufficient_scope',
  'merchant_not_bound',
  'merchant_inactive',
] as const satisfies readonly ErrorCode[];

/** Calls of the buyer's page. */
export const checkoutCall = [
  ...anyCall,
  ...limited,
  'payment_not_found',
] as const satisfies readonly ErrorCode[];
