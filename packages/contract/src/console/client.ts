/** Bodies of the console’s calls about the merchant’s own clients. */
import Type, { type Static } from 'typebox';
import { KeySet } from '../oauth.ts';
import { Instant, nextCursor, OneOf, orNull, Text } from '../scalars.ts';

const clientType = OneOf(
  ['confidential', 'public'],
  '`confidential`: a server that can keep a secret. `public`: an app or a web page, which cannot.',
);
const name = Type.String({
  minLength: 1,
  maxLength: 200,
  description: 'The name that people see when the client asks for access.',
});
const redirectUris = Type.Array(Type.String({ maxLength: 2_048 }), {
  maxItems: 20,
  description:
    'The addresses that people can be sent back to after their decision: HTTPS, or HTTP on loopback. They must ' +
    'match exactly.',
});
const allowedCidrs = Type.Array(Type.String({ maxLength: 50 }), {
  maxItems: 50,
  description:
    'Ranges of addresses in CIDR notation, such as `203.0.113.0/24`, from which the client may call and get tokens. ' +
    'Empty: from anywhere.',
});
const wantedScopes = Type.Array(Type.String({ maxLength: 100 }), {
  minItems: 1,
  maxItems: 50,
  description: 'All scopes that the client needs. They apply after an administrator approves them.',
});
const clientId = Text('The client’s identifier at the authorization server.');
const clientSecret = Text('The client’s secret. It is shown only once; keep it on your server.');
const applicationId = Text('Identifies the application for scopes.');

/** A request for a new client. */
export const NewOwnClient = Type.Object(
  {
    ...{ name, type: clientType, redirect_uris: redirectUris, scopes: wantedScopes },
    allowed_cidrs: Type.Optional(allowedCidrs),
  },
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

/** A change of a client by its merchant: at least one member. */
export const OwnClientChange = Type.Object(
  {
    disabled: Type.Optional(
      Type.Boolean({
        description:
          '`true`: the client gets no tokens, and its tokens end. They do not come back when it is enabled again.',
      }),
    ),
    allowed_cidrs: Type.Optional(allowedCidrs),
  },
  { title: 'OwnClientChange', examples: [{ disabled: true }] },
);
export type OwnClientChange = Static<typeof OwnClientChange>;

export const CreatedOwnClient = Type.Object(
  { client_id: clientId, client_secret: Type.Optional(clientSecret), application_id: applicationId },
  {
    title: 'CreatedOwnClient',
    description: 'The new client. A public client has no secret.',
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

/** Keys of its own for a client, instead of a secret. */
export const ClientKeyChange = Type.Object(
  {
    jwks: Type.Union([KeySet, Type.Null()], {
      description: 'All keys of the client. `null`: no keys; the client gets a secret.',
    }),
  },
  {
    title: 'ClientKeyChange',
    examples: [{ jwks: { keys: [{ kty: 'EC', crv: 'P-256', kid: 'one', x: 'f83OJ3D2…', y: 'x_FEzRu9…' }] } }],
  },
);
export type ClientKeyChange = Static<typeof ClientKeyChange>;

export const ChangedClientKeys = Type.Object(
  {
    jwks: orNull(KeySet),
    client_secret: Type.Optional(clientSecret),
  },
  {
    title: 'ChangedClientKeys',
    description: 'The keys as they are now; a new secret where the keys were taken away.',
    examples: [{ jwks: null, client_secret: 'Qx7r…b2Yw' }],
  },
);
export type ChangedClientKeys = Static<typeof ChangedClientKeys>;

export const ScopeRequest = Type.Object(
  { scopes: wantedScopes },
  { title: 'ScopeRequest', examples: [{ scopes: ['products.read', 'merchant_payments.read'] }] },
);
export type ScopeRequest = Static<typeof ScopeRequest>;

export const ScopeRequested = Type.Object(
  {
    application_id: applicationId,
    status: OneOf(['pending'], 'The application waits for an administrator’s decision.'),
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
          'Revokes the old secret and ends every token of the client immediately, for example after a leak. Otherwise ' +
          'the old secret works for another 24 hours, and tokens stay valid.',
      }),
    ),
  },
  { title: 'ClientSecretRotation', examples: [{ revoke_old: false }] },
);
export type ClientSecretRotation = Static<typeof ClientSecretRotation>;

export const RotatedClientSecret = Type.Object(
  {
    client_secret: clientSecret,
    previous_valid_until: orNull(
      Instant('The old secret works until this time; null if it no longer works.'),
    ),
  },
  {
    title: 'RotatedClientSecret',
    examples: [{ client_secret: 'Qx7r…b2Yw', previous_valid_until: '2026-03-03T09:30:00.000Z' }],
  },
);
export type RotatedClientSecret = Static<typeof RotatedClientSecret>;

/** The latest application for scopes, with its decision. */
const LatestApplication = Type.Object({
  application_id: applicationId,
  scopes: Type.Array(Type.String(), { description: 'The requested scopes.' }),
  status: OneOf(['pending', 'approved', 'rejected'], 'The decision.'),
  requested_at: Instant('Time of the request.'),
  decided_at: orNull(Instant('Time of the decision; null if there is none yet.')),
  reason: orNull(Text('The reason for the decision.')),
  approved_scopes: orNull(
    Type.Array(Type.String(), {
      description: 'The approved scopes. They can differ from the requested scopes.',
    }),
  ),
});

export const OwnClient = Type.Object(
  {
    client_id: clientId,
    name: Text('The name that people see when the client asks for access.'),
    type: clientType,
    scopes: Type.Array(Type.String(), { description: 'The scopes that the client has now.' }),
    redirect_uris: Type.Array(Type.String(), {
      description: 'The addresses that people can be sent back to.',
    }),
    allowed_cidrs: allowedCidrs,
    disabled: Type.Boolean({
      description: 'Whether the client is disabled, by its merchant or by an administrator.',
    }),
    jwks: orNull(KeySet),
    created_at: Instant('Time of creation.'),
    previous_valid_until: orNull(
      Instant('The previous secret works until this time; null if there is none.'),
    ),
    application: orNull(LatestApplication),
  },
  { title: 'OwnClient' },
);
export type OwnClient = Static<typeof OwnClient>;

export const OwnClientPage = Type.Object(
  { items: Type.Array(OwnClient, { description: 'The clients, ordered by id.' }), next_cursor: nextCursor },
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
            allowed_cidrs: [],
            disabled: false,
            jwks: null,
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
