/** Bodies of the console’s calls about merchants and the people who work for them. */
import Type, { type Static } from 'typebox';
import { Instant, OneOf, orNull, Text } from '../scalars.ts';

/** The roles of a person at a merchant, from the most rights to the fewest. */
export const consoleRoles = ['owner', 'finance', 'developer', 'read-only'] as const;

export type ConsoleRole = (typeof consoleRoles)[number];

export const Role = OneOf(
  consoleRoles,
  '`owner`: everything, including people. `finance`: orders and money. `developer`: clients and notifications. ' +
    '`read-only`: reads everything and changes nothing.',
);

export const OwnMerchant = Type.Object(
  {
    merchant_no: Text('Identifies the merchant.'),
    name: Text('The merchant’s name.'),
    logo_url: Text('The address of the merchant’s logo; empty if there is none.'),
    logo_path: orNull(Text('The path of the logo on this origin; null if there is none.')),
    status: OneOf(['active', 'inactive'], 'An inactive merchant cannot create orders.'),
    role: Role,
    created_at: Instant('Time of creation.'),
  },
  { title: 'OwnMerchant' },
);
export type OwnMerchant = Static<typeof OwnMerchant>;

export const OwnMerchantList = Type.Object(
  { items: Type.Array(OwnMerchant, { description: 'The merchants, ordered by name.' }) },
  {
    title: 'OwnMerchantList',
    examples: [
      {
        items: [
          {
            merchant_no: 'mr_01JNXW5R3M8Q4T0ZB6Y2C7D9EF',
            name: 'Bookshop',
            logo_url: '',
            logo_path: null,
            status: 'active',
            role: 'owner',
            created_at: '2026-01-15T08:00:00.000Z',
          },
        ],
      },
    ],
  },
);
export type OwnMerchantList = Static<typeof OwnMerchantList>;

const email = Type.String({
  minLength: 3,
  maxLength: 254,
  description: 'The email address of the account.',
});

export const NewMember = Type.Object(
  { email, role: Role },
  { title: 'NewMember', examples: [{ email: 'fin@shop.example', role: 'finance' }] },
);
export type NewMember = Static<typeof NewMember>;

export const MemberChange = Type.Object(
  { role: Role },
  { title: 'MemberChange', examples: [{ role: 'read-only' }] },
);
export type MemberChange = Static<typeof MemberChange>;

export const MerchantMember = Type.Object(
  {
    user_id: Text('Identifies the person.'),
    name: Text('The name of the account.'),
    email,
    role: Role,
    holder: Type.Boolean({
      description:
        'Whether this person holds the merchant. The holder is always an owner and cannot be removed here.',
    }),
    added_at: orNull(Instant('Time when the person was added; null for the holder.')),
    last_sign_in_at: orNull(
      Instant('Time of the person’s last sign-in, to any merchant; null before the first.'),
    ),
    second_factor: Type.Boolean({
      description: 'Whether the person has a second factor: an authenticator app or a passkey.',
    }),
  },
  { title: 'MerchantMember' },
);
export type MerchantMember = Static<typeof MerchantMember>;

const invitationExample = {
  invitation_id: 'iv_01JNXW5R3M8Q4T0ZB6Y2C7D9EF',
  email: 'fin@shop.example',
  role: 'finance',
  status: 'pending',
  invited_at: '2026-01-15T08:00:00.000Z',
  expires_at: '2026-01-22T08:00:00.000Z',
};

export const MemberInvitation = Type.Object(
  {
    invitation_id: Text('Identifies the invitation.'),
    email,
    role: Role,
    status: Type.Literal('pending'),
    invited_at: Instant('Time of the invitation.'),
    expires_at: Instant('Time when the link of the invitation ends.'),
  },
  { title: 'MemberInvitation', examples: [invitationExample] },
);
export type MemberInvitation = Static<typeof MemberInvitation>;

export const InvitationWithdrawn = Type.Object(
  { withdrawn: Type.Literal(true) },
  { title: 'InvitationWithdrawn', examples: [{ withdrawn: true }] },
);

/** The rights in which roles differ, from the most to the least dangerous. */
export const teamDuties = [
  'people',
  'settings',
  'orders',
  'links',
  'exports',
  'stock',
  'clients',
  'webhooks',
  'products',
  'notes',
  'read',
] as const;

export const MerchantMemberList = Type.Object(
  {
    items: Type.Array(MerchantMember, { description: 'The holder first.' }),
    invitations: Type.Array(MemberInvitation, {
      description: 'Open invitations, oldest first; at most 100.',
    }),
    duties: Type.Array(
      Type.Object({
        duty: OneOf(
          teamDuties,
          '`people`: invite, change and remove people. `settings`: the profile, and closing a client. `orders`: create ' +
            'orders by hand. `links`: payment links. `exports`: scheduled exports. `stock`: codes, and delivering ' +
            'catalog orders. `clients`: programs and their secrets. `webhooks`: the address, its secret, and replays. `products`: the catalog. `notes`: ' +
            'notes on orders. `read`: read and export everything.',
        ),
        roles: Type.Array(OneOf(consoleRoles, 'A role.'), { description: 'The roles that may do it.' }),
      }),
      { description: 'What each role may do.' },
    ),
  },
  {
    title: 'MerchantMemberList',
    examples: [
      {
        items: [
          {
            user_id: '0190c1a0-0000-7000-8000-00000000000c',
            name: 'Olga Owner',
            email: 'olga@shop.example',
            role: 'owner',
            holder: true,
            added_at: null,
            last_sign_in_at: '2026-03-02T09:30:00.000Z',
            second_factor: true,
          },
        ],
        invitations: [invitationExample],
        duties: [{ duty: 'links', roles: ['owner', 'finance'] }],
      },
    ],
  },
);
export type MerchantMemberList = Static<typeof MerchantMemberList>;

export const MemberRemoved = Type.Object(
  { removed: Type.Literal(true, { description: 'Always true.' }) },
  { title: 'MemberRemoved', examples: [{ removed: true }] },
);
export type MemberRemoved = Static<typeof MemberRemoved>;
