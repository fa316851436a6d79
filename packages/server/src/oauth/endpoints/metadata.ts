/** The metadata document of the authorization server (RFC 8414). */
import { assertionAlgorithms, scopes } from '../clients/index.ts';
import { authorizePath, jwksPath, revocationPath, tokenPath, userinfoPath } from '../provider/index.ts';

const clientAuthMethods = ['client_secret_post', 'client_secret_basic', 'private_key_jwt', 'none'];

/** All addresses come from the configuration, never from the request. */
export function metadata(public_url: string): Record<string, unknown> {
  return {
    issuer: public_url,
    authorization_endpoint: `${public_url}${authorizePath}`,
    token_endpoint: `${public_url}${tokenPath}`,
    revocation_endpoint: `${public_url}${revocationPath}`,
    userinfo_endpoint: `${public_url}${userinfoPath}`,
    jwks_uri: `${public_url}${jwksPath}`,
    token_endpoint_auth_methods_supported: clientAuthMethods,
    token_endpoint_auth_signing_alg_values_supported: assertionAlgorithms,
    revocation_endpoint_auth_methods_supported: clientAuthMethods,
    revocation_endpoint_auth_signing_alg_values_supported: assertionAlgorithms,
    grant_types_supported: ['authorization_code', 'client_credentials'],
    response_types_supported: ['code'],
    response_modes_supported: ['query'],
    code_challenge_methods_supported: ['S256'],
    prompt_values_supported: ['none', 'login', 'consent'],
    subject_types_supported: ['pairwise'],
    id_token_signing_alg_values_supported: ['ES256'],
    scopes_supported: scopes,
    claims_supported: ['sub', 'name', 'preferred_username', 'email', 'email_verified'],
    claims_parameter_supported: false,
    request_parameter_supported: false,
    request_uri_parameter_supported: false,
    authorization_response_iss_parameter_supported: true,
  };
}
