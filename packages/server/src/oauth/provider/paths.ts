export const authorizePath = '/oauth/authorize';

/** Where people answer: below it, one address for each request. */
export const interactionPath = '/oauth/interaction';

export const tokenPath = '/oauth/token';

export const userinfoPath = '/oauth/userinfo';

export const jwksPath = '/oauth/jwks';

export const metadataPath = '/.well-known/openid-configuration';
