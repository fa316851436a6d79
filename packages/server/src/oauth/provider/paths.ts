/** The paths of the authorization server. Its endpoints have separate addresses. */
export const authorizePath = '/oauth/authorize';

/** The consent page; the id of the request follows. */
export const interactionPath = '/oauth/interaction';

/** Where people sign in; `return_to` says where they go on. */
export const signInPath = '/sign-in';

export const tokenPath = '/oauth/token';

/** Revocation of tokens (RFC 7009). */
export const revocationPath = '/oauth/revoke';

/** User information has its own address (D-006). */
export const userinfoPath = '/oauth/userinfo';

export const jwksPath = '/oauth/jwks';

export const metadataPath = '/.well-known/openid-configuration';
