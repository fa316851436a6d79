/** The token endpoint. */
import Type, { type Static } from 'typebox';
import { Text } from './scalars.ts';

/** The scopes of calls that both kinds of token may make. */
export const sharedScopeDescriptions = {
  'merchant.profile.read': 'Read what the merchant says of itself.',
  'products.read': 'Read and search the products that the merchant sells.',
} as const;

/** The scopes of the calls that a server makes for itself. */
export const scopeDescriptions = {
  'merchant_payments.create': 'Create collection orders and replay notifications.',
  'merchant_payments.read': 'Read the channel directory, collection orders and delivery records.',
  ...sharedScopeDescriptions,
} as const;

/** The scopes of the calls for which a person lets a client act. */
export const userScopeDescriptions = {
  'orders.create': 'Place orders with the merchant for the person.',
  'orders.read': 'Read these orders.',
  'payments.create': 'Start payments of these orders, also from the person’s PTK.',
  'payments.read': 'Read whether these orders are paid.',
  ...sharedScopeDescriptions,
} as const;

/** The form of a token request. */
export const TokenRequest = Type.Object(
  {
    grant_type: Type.Literal('client_credentials', { description: 'The grant of servers.' }),
    client_id: Type.Optional(Text('Your client. Needed unless HTTP Basic carries it.')),
    client_secret: Type.Optional(Text('Its secret. Needed unless HTTP Basic carries it.')),
    scope: Type.Optional(
      Type.String({
        description: 'Scopes, separated by spaces. Left out: all that your client may have.',
        examples: ['merchant_payments.create merchant_payments.read'],
      }),
    ),
  },
  {
    title: 'TokenRequest',
    description: 'Sent as a form. The credentials go either into it or into HTTP Basic, not into both.',
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

/** The answer to a token request (D-163). */
export const TokenAnswer = Type.Object(
  {
    access_token: Text('Sent as `Authorization: Bearer …`. Opaque; keep it on your server.'),
    token_type: Type.Literal('Bearer', { description: 'How it is sent.' }),
    expires_in: Type.Integer({
      minimum: 1,
      description:
        'Seconds for which it is valid. Then ask again with the credentials: there is no refresh token.',
    }),
    scope: Text('What it may do: what was asked for, as far as it is approved for your client.'),
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
