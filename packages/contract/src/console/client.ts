/** Bodies of the console's calls about the merchant's own clients. */
import Type, { type Static } from 'typebox';
import { Instant, nextCursor, OneOf, orNull, Text } from '../scalars.ts';

const clientType = OneOf(
  ['confidential', 'public'],
  '`confidential`: a server that can keep a secret. `public`: an app or a page, which cannot.',
);
const name = Type.String({
  minLength: 1,
  maxLength: 200,
  description: 'What people see when they are asked to let it in.',
});
const redirectUris = Type.Array(Type.String({ maxLength: 2_048 }), {
  maxItems: 20,
  description:
    'Where people are sent back to after they have decided, matched to the letter: HTTPS, or HTTP on loopback.',
});
const wantedScopes = Type.Array(Type.String({ maxLength: 100 }), {
  minItems: 1,
  maxItems: 50,
  description:
    'All the scopes that the client is to have. None is in force before an administrator approves.',
});
const clientId = Text('Names the client to the authorization server.');
const clientSecret = Text('Shown this once. Keep it on your server.');
const applicationId = Text('Identifies what was asked for.');

/** A client that a merchant wants. */
export const NewOwnClient = Type.Object(
  { name, type: clientType, redirect_uris: redirectUris, scopes: wantedScopes },
  {
    title: 'NewOwnClient',
    examples: [
      {
        name: 'Shop server',
        type: 'confidential',
        redirect_uris: [],
        scopes: ['merchant_payments.create', 'merchant_payments.read'],
      },
    ],
  },
);
export type NewOwnClient = Static<typeof NewOwnClient>;

export const CreatedOwnClient = Type.Object(
  { client_id: clientId, client_secret: Type.Optional(clientSecret), application_id: applicationId },
  {
    title: 'CreatedOwnClient',
    description: 'A public client has no secret.',
    examples: [
      {
        client_id: 'cl_01JNXW5R3M8Q4T0ZB6Y2C7D9EF',
        client_secret: 'mN3c…Zk0Q',
        application_id: 'sa_01JNXW5R3M8Q4T0ZB6Y2C7D9EG',
      },
    ],
  },
);
export type CreatedOwnClient = Static<typeof CreatedOwnClient>;

export const ScopeRequest = Type.Object(
  { scopes: wantedScopes },
  { title: 'ScopeRequest', examples: [{ scopes: ['products.read', 'merchant_payments.read'] }] },
);
export type ScopeRequest = Static<typeof ScopeRequest>;

export const ScopeRequested = Type.Object(
  {
    application_id: applicationId,
    status: OneOf(['pending'], 'An administrator decides.'),
  },
  {
    title: 'ScopeRequested',
    examples: [{ application_id: 'sa_01JNXW5R3M8Q4T0ZB6Y2C7D9EG', status: 'pending' }],
  },
);
export type ScopeRequested = Static<typeof ScopeRequested>;

export const ClientSecretRotation = Type.Object(
  {
    revoke_old: Type.Optional(
      Type.Boolean({
        default: false,
        description:
          'Ends the old secret at once, for one that has leaked. Otherwise it works for 24 hours more.',
      }),
    ),
  },
  { title: 'ClientSecretRotation', examples: [{ revoke_old: false }] },
);
export type ClientSecretRotation = Static<typeof ClientSecretRotation>;

export const RotatedClientSecret = Type.Object(
  {
    client_secret: clientSecret,
    previous_valid_until: orNull(Instant('Until when the old one works as well; null: no more.')),
  },
  {
    title: 'RotatedClientSecret',
    examples: [{ client_secret: 'Qx7r…b2Yw', previous_valid_until: '2026-03-03T09:30:00.000Z' }],
  },
);
export type RotatedClientSecret = Static<typeof RotatedClientSecret>;

/** What was last asked for a client, and what became of it. */
const LatestApplication = Type.Object({
  application_id: applicationId,
  scopes: Type.Array(Type.String(), { description: 'What was asked for.' }),
  status: OneOf(['pending', 'approved', 'rejected'], 'What became of it.'),
  requested_at: Instant('When it was asked for.'),
  decided_at: orNull(Instant('When somebody decided; null while nobody has.')),
  reason: orNull(Text('The reason that came with the decision.')),
  approved_scopes: orNull(
    Type.Array(Type.String(), { description: 'What was approved: it may differ from what was asked for.' }),
  ),
});

export const OwnClient = Type.Object(
  {
    client_id: clientId,
    name: Text('What people see when they are asked to let it in.'),
    type: clientType,
    scopes: Type.Array(Type.String(), { description: 'The scopes in force.' }),
    redirect_uris: Type.Array(Type.String(), { description: 'Where people are sent back to.' }),
    disabled: Type.Boolean({ description: 'Whether an administrator has shut it out.' }),
    created_at: Instant('When it was created.'),
    previous_valid_until: orNull(
      Instant('Until when a secret that was rotated away works; null: there is none.'),
    ),
    application: orNull(LatestApplication),
  },
  { title: 'OwnClient' },
);
export type OwnClient = Static<typeof OwnClient>;

export const OwnClientPage = Type.Object(
  { items: Type.Array(OwnClient, { description: 'By id.' }), next_cursor: nextCursor },
  {
    title: 'OwnClientPage',
    examples: [
      {
        items: [
          {
            client_id: 'cl_01JNXW5R3M8Q4T0ZB6Y2C7D9EF',
            name: 'Shop server',
            type: 'confidential',
            scopes: ['merchant_payments.read'],
            redirect_uris: [],
            disabled: false,
            created_at: '2026-03-01T09:30:00.000Z',
            previous_valid_until: null,
            application: {
              application_id: 'sa_01JNXW5R3M8Q4T0ZB6Y2C7D9EG',
              scopes: ['merchant_payments.create', 'merchant_payments.read'],
              status: 'pending',
              requested_at: '2026-03-02T09:30:00.000Z',
              decided_at: null,
              reason: null,
              approved_scopes: null,
            },
          },
        ],
      },
    ],
  },
);
export type OwnClientPage = Static<typeof OwnClientPage>;
