import { scopes } from './scopes.ts';

/** What the authorization server tells about itself (RFC 8414), in addresses of the configuration alone. */
export function metadata(public_url: string): Record<string, unknown> {
  return {
    issuer: public_url,
    token_endpoint: `${public_url}${tokenPath}`,
    token_endpoint_auth_methods_supported: ['client_secret_post', 'client_secret_basic'],
    grant_types_supported: ['client_credentials'],
    response_types_supported: [],
    scopes_supported: scopes,
  };
}

export const tokenPath = '/oauth/token';
export const metadataPath = '/.well-known/openid-configuration';
