/** How callers authenticate: the security schemes of both documents. */
import { personScopeDescriptions, scopeDescriptions, userScopeDescriptions } from '../oauth.ts';
import type { SecurityScheme } from './model.ts';
import type { Security } from './operation.ts';

/** The security schemes of the public document. */
export function securitySchemes(token_endpoint: string): Record<string, SecurityScheme> {
  return {
    merchant_token: {
      type: 'oauth2',
      description: 'An access token of the client-credentials grant, as `Authorization: Bearer …`.',
      flows: { clientCredentials: { tokenUrl: token_endpoint, scopes: scopeDescriptions } },
    },
    user_token: {
      type: 'oauth2',
      description:
        'An access token that a person has authorized (authorization code with PKCE), as `Authorization: Bearer …`.',
      flows: {
        authorizationCode: {
          authorizationUrl: new URL('authorize', token_endpoint).href,
          tokenUrl: token_endpoint,
          scopes: { ...personScopeDescriptions, ...userScopeDescriptions },
        },
      },
    },
    client_basic: {
      type: 'http',
      scheme: 'basic',
      description: 'The client credentials by HTTP Basic. The form then omits them.',
    },
    checkout_token: {
      type: 'apiKey',
      in: 'header',
      name: 'X-Checkout-Token',
      description: 'The token in the query of `checkout_url`. It opens only that order.',
    },
    session_cookie: {
      type: 'apiKey',
      in: 'cookie',
      name: '__Host-paydesk_session',
      description: 'Set by signing in. On loopback without HTTPS, the name has no prefix.',
    },
  };
}

/** The security schemes of the administration’s document. */
export const adminSecuritySchemes = (
  schemes: Record<string, SecurityScheme>,
): Record<string, SecurityScheme> => ({
  administration_key: {
    type: 'http',
    scheme: 'bearer',
    description:
      'An administration key, as `Authorization: Bearer …`: a named key, or that of the service’s configuration.',
  },
  ...(schemes.session_cookie === undefined ? {} : { session_cookie: schemes.session_cookie }),
});

/** The security requirement of a call: the caller must satisfy one of the listed combinations. */
export function requirementOf(security: Security): Record<string, readonly string[]>[] {
  switch (security.by) {
    case 'merchant_token':
      return [{ merchant_token: [security.scope] }];
    case 'user_token':
      return [{ user_token: [security.scope] }];
    case 'any_token':
      return [{ merchant_token: [security.scope] }, { user_token: [security.scope] }];
    case 'client_credentials':
      return [{ client_basic: [] }, {}];
    case 'checkout_token':
      return [{ checkout_token: [] }, { checkout_token: [], session_cookie: [] }];
    case 'session_cookie':
      return [{ session_cookie: [] }];
    case 'administrator':
      return [{ administration_key: [] }, { session_cookie: [] }];
    case 'nothing':
      return [];
  }
}
