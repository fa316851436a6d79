/** Scopes, and the bodies of the token endpoint. */
import Type, { type Static } from 'typebox';
import { OneOf, Text } from './scalars.ts';

/** The public keys of a client that proves itself by signed assertions (private_key_jwt, RFC 7523). */
export const KeySet = Type.Object(
  {
    keys: Type.Array(Type.Record(Type.String(), Type.Unknown()), {
      minItems: 1,
      maxItems: 10,
      description:
        'Public keys as JSON Web Keys (RFC 7517): EC on P-256 (ES256), OKP on Ed25519 (EdDSA), or RSA from 2,048 bits ' +
        '(PS256, RS256). Each of several keys needs a `kid`. A private key is refused.',
    }),
  },
  {
    title: 'KeySet',
    examples: [{ keys: [{ kty: 'EC', crv: 'P-256', kid: 'one', x: 'f83OJ3D2…', y: 'x_FEzRu9…' }] }],
  },
);
export type KeySet = Static<typeof KeySet>;

/** Scopes that both kinds of token can have. */
export const sharedScopeDescriptions = {
  'merchant.profile.read': 'Read the merchant’s profile.',
  'products.read': 'Read and search the merchant’s products.',
} as const;

/** Scopes of tokens that a server gets with its own credentials. */
export const scopeDescriptions = {
  'merchant_payments.create': 'Create collection orders and replay notifications.',
  'merchant_payments.read': 'Read the channel directory, collection orders and delivery records.',
  ...sharedScopeDescriptions,
} as const;

/** Scopes of tokens that a person authorizes. */
export const userScopeDescriptions = {
  'orders.create': 'Place orders with the merchant for the person.',
  'orders.read': 'Read these orders.',
  'payments.create': 'Start payments of these orders, including payments with the person’s PTK.',
  'payments.read': 'Read the payment status of these orders.',
  ...sharedScopeDescriptions,
} as const;

/** Scopes of user information, which a person authorizes. */
export const personScopeDescriptions = {
  openid: 'Learn who the person is, by an identifier and a name.',
  email: 'Learn the person’s email address as well.',
} as const;

/** The form of a token request. */
export const TokenRequest = Type.Object(
  {
    grant_type: OneOf(
      ['client_credentials', 'authorization_code'],
      'The grant for servers, or that for the code which a person’s browser has brought back.',
    ),
    code: Type.Optional(Text('With `authorization_code`: the code. It works once, within a minute.')),
    redirect_uri: Type.Optional(Text('With `authorization_code`: as in the request that led to the code.')),
    code_verifier: Type.Optional(Text('With `authorization_code`: the text of the `code_challenge` (PKCE).')),
    client_id: Type.Optional(Text('Your client id. Required unless you send it by HTTP Basic.')),
    client_secret: Type.Optional(
      Text('Your client secret. Required unless you send it by HTTP Basic, or your client is public.'),
    ),
    client_assertion_type: Type.Optional(
      Type.Literal('urn:ietf:params:oauth:client-assertion-type:jwt-bearer', {
        description: 'With `client_assertion`.',
      }),
    ),
    client_assertion: Type.Optional(
      Text(
        'For a client with keys, instead of the secret: a JWT that it signs (RFC 7523). `iss` and `sub` are the client id, ' +
          '`aud` is the issuer or the token endpoint, `jti` is used once, `exp` is at most an hour away.',
      ),
    ),
    scope: Type.Optional(
      Type.String({
        description:
          'With `client_credentials`: scopes, separated by spaces. If omitted, the token gets all approved scopes of your client.',
        examples: ['merchant_payments.create merchant_payments.read'],
      }),
    ),
  },
  {
    title: 'TokenRequest',
    description: 'Sent as a form. Send the credentials either in the form or by HTTP Basic, not both.',
    examples: [
      {
        grant_type: 'client_credentials',
        client_id: 'your-client-id',
        client_secret: 'your-client-secret',
        scope: 'merchant_payments.create merchant_payments.read',
      },
    ],
  },
);
export type TokenRequest = Static<typeof TokenRequest>;

/** The form of a request to revoke a token (RFC 7009). */
export const RevocationRequest = Type.Object(
  {
    token: Text('The access token to end.'),
    token_type_hint: Type.Optional(
      Type.String({ description: 'A hint for the search, such as `access_token`. It changes nothing.' }),
    ),
    client_id: Type.Optional(Text('Your client id. Required unless you send it by HTTP Basic.')),
    client_secret: Type.Optional(
      Text('Your client secret. Required unless you send it by HTTP Basic, or your client is public.'),
    ),
  },
  {
    title: 'RevocationRequest',
    description: 'Sent as a form, with the credentials of the client that got the token.',
    examples: [{ token: 'b3Bh…cXVl', client_id: 'your-client-id', client_secret: 'your-client-secret' }],
  },
);
export type RevocationRequest = Static<typeof RevocationRequest>;

/** The answer to a token request (D-163). */
export const TokenAnswer = Type.Object(
  {
    access_token: Text(
      'The access token. Send it as `Authorization: Bearer …`. It is opaque; keep it on your server.',
    ),
    token_type: Type.Literal('Bearer', { description: 'The token type.' }),
    expires_in: Type.Integer({
      minimum: 1,
      description:
        'Seconds until the token expires. Then request a new one with the credentials; there is no refresh token.',
    }),
    scope: Text('The scopes of the token: the requested scopes that are approved for your client.'),
    id_token: Type.Optional(
      Text('With `authorization_code` and the scope `openid`: who the person is, signed (OpenID Connect).'),
    ),
  },
  {
    title: 'TokenAnswer',
    examples: [
      {
        access_token: 'b3Bh…cXVl',
        token_type: 'Bearer',
        expires_in: 3_600,
        scope: 'merchant_payments.create merchant_payments.read',
      },
    ],
  },
);
export type TokenAnswer = Static<typeof TokenAnswer>;

/** Who has authorized a token (R-367, D-174, D-1045). */
export const UserInfo = Type.Object(
  {
    sub: Text('Identifies the person for your client: it stays, and differs for other clients.'),
    name: Text('The person’s name.'),
    preferred_username: Text('The same name.'),
    email: Type.Optional(Text('The email address. Only with the scope `email`.')),
    email_verified: Type.Optional(
      Type.Literal(false, { description: 'With `email`: Paydesk does not confirm addresses.' }),
    ),
  },
  {
    title: 'UserInfo',
    examples: [
      {
        sub: 'u8Zx…3fQw',
        name: 'Ada',
        preferred_username: 'Ada',
        email: 'ada@example.com',
        email_verified: false,
      },
    ],
  },
);
export type UserInfo = Static<typeof UserInfo>;
